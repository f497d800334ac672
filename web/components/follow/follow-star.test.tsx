// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { signOut } from '#shared/contract/auth.ts';
import { followProject, getFollows } from '#shared/contract/follows.ts';
import { session } from '../../lib/session.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import { STATS, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { FollowStar } from './follow-star.tsx';

const server = useTestPage();
const PROJECT = { id: 7, slug: 'hexloom', name: 'Hexloom' };
const FOLLOWED = { projects: [{ ...PROJECT, turn: null }] };
const star = () => screen.getByRole('button', { name: 'Follow Hexloom' });
const state = () => [star().getAttribute('aria-label'), star().getAttribute('aria-pressed')];

beforeEach(() => {
  session.signedIn({ user: USER, stats: STATS });
  server().respond(getFollows, { projects: [] });
});

test('the star shows a press at once, sends it, and takes it back when it was refused, with the reason [R91]', async () => {
  const user = userEvent.setup();
  draw(<FollowStar project={PROJECT} />);
  await waitFor(() => expect(server().calls(getFollows)).toHaveLength(1));
  server().respond(followProject, FOLLOWED);
  await user.click(star());
  expect(state()).toEqual(['Follow Hexloom', 'true']);
  server().respond(followProject, { projects: [] });
  await user.click(star());
  expect(state()).toEqual(['Follow Hexloom', 'false']);
  await waitFor(() =>
    expect(server().calls(followProject)).toMatchObject([{ body: { follows: true } }, { body: { follows: false } }]),
  );
  const message = 'You follow 200 projects already. Unfollow one in your portfolio first.';
  server().reject(followProject, 409, { error: 'follows_full', message });
  await user.click(star());
  expect(await toastShown()).toMatchObject({ title: 'You do not follow Hexloom', description: message });
  await waitFor(() => expect(state()).toEqual(['Follow Hexloom', 'false']));
});

test("a visitor's press opens the sign-in with the reason, and follows once they are in [R91]", async () => {
  server().respond(signOut, { success: true });
  await session.signOut();
  server().respond(followProject, FOLLOWED);
  const user = userEvent.setup();
  draw(<FollowStar project={PROJECT} />);
  await user.click(star());
  expect(connectDialogOpen.get()).toBe(
    'Sign in to follow Hexloom. You get a message when its verified majority turns.',
  );
  expect(server().calls(getFollows)).toEqual([]);
  session.signedIn({ user: USER, stats: STATS });
  connectDialogOpen.set(false);
  await waitFor(() => expect(server().calls(followProject)).toMatchObject([{ body: { follows: true } }]));
  await waitFor(() => expect(state()).toEqual(['Follow Hexloom', 'true']));
});
