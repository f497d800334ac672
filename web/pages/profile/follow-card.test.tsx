// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { followVotes, getFollows } from '#shared/contract/follows.ts';
import { USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { FollowCard } from './follow-card.tsx';

const server = useTestPage();

test('the switch ends follows by votes, and goes back with the reason where that was not saved [R91]', async () => {
  const user = userEvent.setup();
  draw(<FollowCard userId={USER.id} />);
  const votes = await screen.findByRole('switch', { name: 'Follow what I vote on for 30 days' });
  server().respond(followVotes, { votes: false, projects: [] });
  await user.click(votes);
  await waitFor(() => expect(votes).not.toBeChecked());
  expect(server().calls(followVotes)).toMatchObject([{ body: { votes: false } }]);
  server().respond(getFollows, { votes: false, projects: [] });
  server().reject(followVotes, 503, { error: 'unavailable', message: 'Try again later' });
  await user.click(votes);
  expect(await toastShown()).toMatchObject({ title: 'Your choice was not saved', description: 'Try again later' });
  await waitFor(() => expect(votes).not.toBeChecked());
});
