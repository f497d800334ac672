// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../lib/announce.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { ownVoteOf, projectOf, STATS, statsOf, USER, votingStatusOf, NOT_VOTED } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { agreement, canUndo, endUndo, lastVote, noteVote, reward, undoLastVote } from './last-vote.ts';
import { outcome } from './outcome.ts';

const server = useTestPage();
const PROJECT = projectOf(1, { name: 'Coral' });
const OTHER = projectOf(2);
const ownVote = queries.ownVote(USER.id, 1).queryKey;
const undone = { userStats: statsOf(11), votingStatus: votingStatusOf(0, null) };

beforeEach(() => {
  for (const store of [lastVote, reward, outcome]) store.set(null);
  server().respond(getOwnVote, ownVoteOf('bullish', 3, 1));
  server().respond(showResult, ownVoteOf('bullish', 3, 1));
  server().respond(undoVote, undone);
  server().respond(getStats, STATS);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  server().respond(listProjects, []);
  server().respond(projectLeaderboard, []);
  server().respond(getLeaderboard, { topVoters: [], currentUserRank: null, asOf: null });
  server().respond(listVotes, [], { total: 0 });
});

const REWARDED = { tokensEarned: 10, congratulation: null };
const cast = (changes: Partial<Parameters<typeof noteVote>[0]> = {}) =>
  noteVote(
    {
      userId: USER.id,
      project: PROJECT,
      voteType: 'bullish',
      lastTime: null,
      streak: null,
      startedAtMs: performance.now(),
      ...changes,
    },
    REWARDED,
  );
const phase = () => lastVote.get()?.phase;
const resultShown = () => vi.waitFor(() => expect(lastVote.get()?.result).not.toBeNull());

test.each([
  ['bullish', 32, 11, '31 of 42 others voted like you'],
  ['bearish', 3, 1, '0 of 3 others voted like you'],
  ['bullish', 2, 0, '1 of 1 other voted like you'],
  ['bullish', 1, 0, 'First vote on this project'],
  ['bearish', 0, 0, 'First vote on this project'],
] as const)(
  'the result of a %s vote among %i bullish and %i bearish ones leaves the voter out: %s [R59]',
  (voteType, bullishCount, bearishCount, words) => {
    expect(agreement(voteType, { bullishCount, bearishCount })).toBe(words);
  },
);

test('a vote is announced with its reward, and with its result after the undo [S4.5 R59]', async () => {
  cast();
  expect(announcement.get()).toBe('Voted bullish on Coral, +10 Snaps. Press Z to undo.');
  expect(reward.get()?.tokens).toBe(10);
  expect(phase()).toBe('open');
  expect(server().calls(showResult)).toEqual([]);
  endUndo(lastVote.get()?.id ?? 0);
  expect(canUndo(lastVote.get())).toBe(false);
  await resultShown();
  expect(announcement.get()).toBe('Coral: 2 of 3 others voted like you');
  expect(queryClient.getQueryData(ownVote)?.result).toEqual({ bullishCount: 3, bearishCount: 1 });
  const { id = 0 } = reward.get() ?? {};
  expect(lastVote.get()?.id).toBe(id);
  cast();
  expect(reward.get()?.id).toBe(id + 1);
  expect(server().calls(showResult)).toHaveLength(1);
});

test('a vote ends the undo of the previous one and shows its result [R59]', async () => {
  cast();
  cast({ project: OTHER, voteType: 'bearish' });
  await vi.waitFor(() => expect(lastVote.get()?.before).toBe('Coral: 2 of 3 others voted like you'));
  expect(lastVote.get()).toMatchObject({ project: OTHER, phase: 'open', result: null });
  expect(server().calls(showResult)[0]?.params).toEqual({ projectId: '1' });
});

test('an undo is possible for five seconds [R46]', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  cast({ startedAtMs: 1_000 });
  now.mockReturnValue(5_999);
  expect(canUndo(lastVote.get())).toBe(true);
  now.mockReturnValue(6_000);
  expect(canUndo(lastVote.get())).toBe(false);
  expect(undoLastVote()).toBe(false);
  expect(canUndo(null)).toBe(false);
  expect(server().calls(undoVote)).toEqual([]);
});

test('an undo restores the numbers, deals the card first, and is announced [R46]', async () => {
  cast();
  const vote = lastVote.get();
  queryClient.setQueryData(ownVote, { ...ownVoteOf('bullish'), result: null });
  queryClient.setQueryData(queries.feed(USER.id).queryKey, { projects: [OTHER, PROJECT], limit: 10 });
  const response = Promise.withResolvers<typeof undone>();
  server().respond(undoVote, () => response.promise);
  expect(undoLastVote()).toBe(true);
  expect(phase()).toBe('undoing');
  expect(undoLastVote()).toBe(false);
  server().respond(getOwnVote, NOT_VOTED);
  response.resolve(undone);
  await vi.waitFor(() => expect(outcome.get()).not.toBeNull());
  expect(outcome.get()).toEqual({ vote, fate: { kind: 'undone' } });
  expect([lastVote.get(), reward.get()]).toEqual([null, null]);
  expect(announcement.get()).toBe('Took back your vote on Coral');
  expect(session.get().stats?.totalVotes).toBe(11);
  expect(queryClient.getQueryData(queries.votingStatus(USER.id).queryKey)?.votesRemaining).toBe(25);
  expect(queryClient.getQueryData(queries.feed(USER.id).queryKey)?.projects.map(({ id }) => id)).toEqual([1, 2]);
  expect(queryClient.getQueryData(ownVote)).toEqual(NOT_VOTED);
  expect(server().calls(undoVote)).toHaveLength(1);
  expect(server().calls(undoVote)[0]?.params).toEqual({ projectId: '1' });
});

test.each([
  ['is lost stays open', () => server().lose(undoVote), 'open', 'Undo failed', /cannot be reached/],
  [
    'is rejected is final',
    () => server().reject(undoVote, 409, { error: 'too_late', message: 'Too late' }),
    'final',
    'Too late to undo',
    /^Your vote stands.$/,
  ],
  [
    'fails without words is final',
    () => server().failSilently(undoVote),
    'final',
    'Undo failed',
    /^Your vote stands.$/,
  ],
] as const)('an undo that %s, and the reason is shown [R46]', async (_, fail, next, title, words) => {
  cast();
  fail();
  undoLastVote();
  await vi.waitFor(() => expect(toasts.get()[0]).toMatchObject({ title, variant: 'destructive' }));
  expect(toasts.get()[0]?.description).toMatch(words);
  expect(phase()).toBe(next);
  expect(outcome.get()).toBeNull();
});
