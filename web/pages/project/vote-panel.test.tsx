// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote, changeVote, getOwnVote, undoVote } from '#shared/contract/votes.ts';
import { UNDO_GRACE_MS } from '#shared/constants.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { lostAction } from '../../lib/lost-action.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { toasts } from '../../lib/toast.ts';
import { keepGuestVote } from '../../offline/guest-votes.ts';
import { guestVotes } from '../../offline/waiting-votes.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import {
  lastVoteOf,
  ownVoteOf,
  projectOf,
  projectPageOf,
  STATS,
  statsOf,
  USER,
  votingStatusOf,
  NOT_VOTED,
  countedVote,
} from '../../testing/made-up.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { respondAfterVotes } from '../../testing/votes.ts';
import { lastVote } from '../../voting/last-vote.ts';
import { congratulation, reward } from '../../voting/reward.ts';
import type { ProjectView } from './project-view.ts';
import { VotePanel } from './vote-panel.tsx';

const server = useTestPage();
const inAnHour = () => new Date(serverNow() + 3_600_000).toISOString();
const PROJECT = projectPageOf(1, { expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
const counted = countedVote(13, { votingStatus: votingStatusOf(2, inAnHour()) });

beforeEach(() => {
  lastVote.set(null);
  reward.set(null);
  congratulation.set(null);
  connectDialogOpen.set(false);
  server().respond(getOwnVote, NOT_VOTED);
  server().respond(getVotingStatus, votingStatusOf(1, inAnHour()));
  server().respond(getStats, STATS);
  server().respond(castVote, counted);
  respondAfterVotes(server());
});

const drawPanel = (changes: Partial<ProjectView> = {}) => draw(<VotePanel project={{ ...PROJECT, ...changes }} />);
const button = (name: 'Bullish' | 'Bearish') => screen.getByRole('button', { name });
const line = () => screen.getByRole('region', { name: 'Your vote' });
const isOff = (name: 'Bullish' | 'Bearish') => button(name).getAttribute('aria-disabled') === 'true';
const whenOpen = () => waitFor(() => expect(isOff('Bullish')).toBe(false));

test("an open page reads the user's vote again after three seconds", async () => {
  const { queryKey } = queries.ownVote(USER.id, PROJECT.id);
  session.signedIn({ user: USER, stats: STATS });
  queryClient.setQueryData(queryKey, NOT_VOTED, { updatedAt: Date.now() - 3_000 });
  server().respond(getOwnVote, ownVoteOf('bullish'));
  drawPanel();
  await waitFor(() => expect(button('Bullish')).toHaveAttribute('aria-pressed', 'true'));
});

test('Bearish is left and Bullish right, as a swipe is, in every language [S1.2 R48]', () => {
  drawPanel();
  expect(button('Bearish').parentElement).toHaveAttribute('dir', 'ltr');
  expect(button('Bearish').nextElementSibling).toBe(button('Bullish'));
});

test("a visitor's vote is kept for the sign-in, and nothing is sent [R48 R76]", () => {
  session.drawAs(undefined);
  drawPanel();
  expect(line()).toHaveTextContent('Connect a wallet to vote');
  fireEvent.click(button('Bearish'));
  expect(connectDialogOpen.get()).toBe(true);
  act(() => connectDialogOpen.set(false));
  expect(button('Bearish')).toHaveAttribute('aria-pressed', 'true');
  fireEvent.click(button('Bullish'));
  expect(button('Bullish')).toHaveAttribute('aria-pressed', 'true');
  expect(guestVotes.get().map(({ project, voteType }) => [project.id, voteType])).toEqual([[1, 'bullish']]);
  act(() => connectDialogOpen.set(false));
  fireEvent.click(screen.getByRole('button', { name: 'Sign in to count your 1 vote' }));
  expect(connectDialogOpen.get()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(line()).toHaveTextContent('Connect a wallet to vote');
  expect(guestVotes.get()).toEqual([]);
  expect(server().calls(getOwnVote)).toEqual([]);
  expect(server().calls(castVote)).toEqual([]);
});

test('a visitor keeps at most one window of votes [R76 S9.1 R48]', () => {
  session.drawAs(undefined);
  for (let id = 101; id <= 125; id += 1) keepGuestVote(projectOf(id), 'bullish');
  drawPanel();
  fireEvent.click(button('Bullish'));
  expect(guestVotes.get()).toHaveLength(25);
  expect(toasts.get()[0]?.title).toBe('Sign in first');
});

test.each([
  ['own', "You can't vote on your own project"],
  ['expired', 'This listing has expired'],
  ['hidden', 'This project is hidden'],
] as const)('the panel says why voting is not possible: %s [R48]', async (canVote, words) => {
  server().respond(getOwnVote, { ...NOT_VOTED, canVote });
  drawPanel();
  expect(await screen.findByText(new RegExp(words))).toBeVisible();
  fireEvent.click(button('Bullish'));
  expect(server().calls(castVote)).toEqual([]);
});

test('a visitor of an expired listing is not asked to connect [R48]', () => {
  session.drawAs(undefined);
  drawPanel({ expiresAt: '2020-01-01T00:00:00.000Z' });
  fireEvent.click(button('Bullish'));
  expect(connectDialogOpen.get()).toBe(false);
  expect(line()).toHaveTextContent('This listing has expired');
});

test('a full window shows the limit with its countdown [R48]', async () => {
  server().respond(getVotingStatus, votingStatusOf(25, inAnHour()));
  drawPanel();
  expect(await screen.findByText('Rate limit reached')).toBeVisible();
  expect(isOff('Bullish')).toBe(true);
  fireEvent.click(button('Bullish'));
  expect(server().calls(castVote)).toEqual([]);
});

test('an ended session asks to sign in again [R48]', async () => {
  drawPanel();
  await whenOpen();
  server().reject(castVote, 401, { error: 'not_signed_in', message: 'User not logged in' });
  session.lost(session.era());
  await waitFor(() => expect(line()).toHaveTextContent('Sign in again to vote'));
  expect(isOff('Bullish')).toBe(true);
});

const PAST = '2026-01-03T12:00:00.000Z';
const voted = { ...ownVoteOf('bullish'), changeableFrom: PAST };
voted.vote = { ...voted.vote, since: PAST };

test('a change beyond its limit shows the time of the next one, and keeps the vote [R57 R48]', async () => {
  queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, votingStatusOf(1, inAnHour()));
  server().respond(getOwnVote, voted);
  drawPanel();
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const limit = { error: 'change_limit', message: 'You have changed 60 votes in the last 6 hours.' };
  server().reject(changeVote, 429, limit, { 'retry-after': '3600' });
  fireEvent.click(button('Bearish'));
  await waitFor(() =>
    expect(toasts.get()[0]).toMatchObject({
      title: 'Too many changes',
      description: expect.stringMatching(
        /^You have changed 60 votes in the last 6 hours. You can change votes again at \d\d:\d\d.$/,
      ),
    }),
  );
  expect(line()).toHaveTextContent('Bullish since 3 Jan 2026');
  expect(screen.getByRole('button', { name: 'Change' })).toBeVisible();
  expect(queryClient.getQueryData(queries.votingStatus(USER.id).queryKey)?.votesRemaining).toBe(24);
});

test.each([
  ['another project', { project: projectOf(2) }],
  ['another user', { userId: 8 }],
])('the panel offers no undo for the newest vote of %s [R46 R48]', async (_what, changes) => {
  lastVote.set(lastVoteOf({ voteType: 'bearish', ...changes }));
  server().respond(getOwnVote, ownVoteOf('bullish', 37, 6));
  drawPanel();
  expect(await screen.findByText('36 of 42 others voted like you')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
});

test('a vote of an earlier visit can be undone for the rest of its time [R48]', async () => {
  const undoableUntil = new Date(serverNow() + 4_000 + UNDO_GRACE_MS).toISOString();
  server().respond(getOwnVote, { ...ownVoteOf('bearish'), undoableUntil, result: null });
  drawPanel();
  expect(await screen.findByRole('button', { name: 'Undo your vote on Project 1' })).toBeVisible();
  server().respond(undoVote, { userStats: statsOf(12), votingStatus: votingStatusOf(1, inAnHour()) });
  fireEvent.keyDown(document.body, { key: 'z' });
  await waitFor(() => expect(server().calls(undoVote)).toHaveLength(1));
});

test('a rejected vote shows the reason and what the server knows [R48]', async () => {
  drawPanel();
  await whenOpen();
  server().reject(castVote, 409, { error: 'x', message: 'Already voted on this project' });
  fireEvent.click(button('Bullish'));
  await waitFor(() =>
    expect(toasts.get()[0]).toMatchObject({ title: 'Vote Failed', description: expect.stringMatching(/Already/) }),
  );
  await whenOpen();
});

test('a vote without an answer is not confirmed, and Retry sends it again [R99 R48]', async () => {
  server().lose(castVote);
  drawPanel();
  await whenOpen();
  fireEvent.click(button('Bullish'));
  await waitFor(() => expect(line()).toHaveTextContent('The server is away. Your bullish vote is not confirmed.'));
  server().respond(castVote, counted);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(line()).toHaveTextContent('You voted bullish'));
  expect(server().calls(castVote)).toHaveLength(2);
});

test('a vote without a session is reported as not counted [R48]', async () => {
  drawPanel();
  await whenOpen();
  server().respond(castVote, () => {
    session.lost(session.era());
    throw new TypeError('Failed to fetch');
  });
  fireEvent.click(button('Bullish'));
  await waitFor(() => expect(lostAction.get()).toBe('Your vote on Project 1 was not counted.'));
});
