// @vitest-environment happy-dom
import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OwnVote, setReasons } from '#shared/contract/votes.ts';
import type { Reason } from '#shared/voting/reasons.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { ownVoteOf, USER } from '../testing/made-up.ts';
import { act, draw, toastShown, useTestPage } from '../testing/screen.tsx';
import { Reasons } from './reasons.tsx';

const server = useTestPage();
const { queryKey } = queries.ownVote(USER.id, 1);
const votedWith = (reasons: Reason[]): OwnVote => ({ ...ownVoteOf('bearish'), reasons });
const know = (own: OwnVote): void => void queryClient.setQueryData(queryKey, own);
const sentReasons = () =>
  server()
    .calls(setReasons)
    .map(({ body }) => (body as { reasons: Reason[] }).reasons);
const given = () => screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);

function drawReasons() {
  draw(
    <section aria-label="Cards" tabIndex={-1}>
      <Reasons userId={USER.id} projectId={1} />
    </section>,
  );
  return { user: userEvent.setup(), chip: (name: string) => screen.getByRole('button', { name }) };
}

beforeEach(() => server().respond(setReasons, ({ body }) => votedWith((body as { reasons: Reason[] }).reasons)));
afterEach(() => onlineManager.setOnline(true));

test('one press gives a reason, a second press takes it back, and a third reason replaces the older one [R89]', async () => {
  know(votedWith([]));
  const { user, chip } = drawReasons();
  expect(screen.getByRole('group', { name: 'Why? Up to 2 reasons' })).toBeVisible();
  for (const name of ['Team', 'Token', 'Risk']) await user.click(chip(name));
  expect(given()).toEqual(['Token', 'Risk']);
  await user.click(chip('Token'));
  expect(given()).toEqual(['Risk']);
  await waitFor(() => expect(sentReasons()).toEqual([['team'], ['team', 'token'], ['token', 'risk'], ['risk']]));
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toEqual(votedWith(['risk'])));
  expect(given()).toEqual(['Risk']);
});

test('shows a toast for a reason that could not be saved, and no longer shows it as pressed [R89]', async () => {
  know(votedWith(['team']));
  server().reject(setReasons, 429, { error: 'too_many', message: 'Try again in a minute.' });
  const { user, chip } = drawReasons();
  await user.click(chip('Token'));
  expect(await toastShown('Your reason was not saved')).toMatchObject({
    description: 'Try again in a minute.',
    variant: 'destructive',
  });
  await waitFor(() => expect(given()).toEqual(['Team']));
});

test('no reason is offered before the result may be seen or while the device is offline [R89 R59]', async () => {
  know({ ...ownVoteOf('bearish'), result: null });
  drawReasons();
  expect(screen.queryByRole('group')).toBeNull();
  act(() => know(votedWith([])));
  expect(await screen.findByRole('group')).toBeVisible();
  act(() => onlineManager.setOnline(false));
  expect(screen.queryByRole('group')).toBeNull();
});

test('the focus stays near the reasons when they end [R89]', async () => {
  know(votedWith([]));
  const { chip } = drawReasons();
  chip('Risk').focus();
  act(() => know({ ...ownVoteOf('bullish'), result: null }));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Cards' })).toHaveFocus());
});
