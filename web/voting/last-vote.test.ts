// @vitest-environment happy-dom
/** The newest vote: what is said of it, how long it can be taken back, and by whom. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { getOwnVote, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../lib/announce.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { ownVoteOf, projectOf, STATS, statsOf, USER, votingStatusOf } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { agreement, canUndo, lastVote, noteVote, reward, undoLastVote, undoneVote } from './last-vote.ts';

const server = useTestPage();
const PROJECT = projectOf(1, { name: 'Coral' });
const OTHER = projectOf(2);
const ownVote = queries.ownVote(USER.id, 1).queryKey;
const undone = { userStats: statsOf(11), votingStatus: votingStatusOf(0, null) };

beforeEach(() => {
  for (const store of [lastVote, reward, undoneVote]) store.set(null);
  server().respond(getOwnVote, ownVoteOf('bullish', 3, 1));
  server().respond(undoVote, undone);
  server().respond(getStats, STATS);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  server().respond(listProjects, []);
  server().respond(projectLeaderboard, []);
  server().respond(getLeaderboard, { topVoters: [], currentUserRank: null });
  server().respond(listVotes, [], { total: 0 });
});

const cast = (changes: { userId?: number; startedAtMs?: number } = {}) =>
  noteVote({
    userId: USER.id,
    project: PROJECT,
    voteType: 'bullish',
    lastTime: null,
    tokens: 10,
    startedAtMs: performance.now(),
    ...changes,
  });
const phase = () => lastVote.get()?.phase;
const resultShown = () => vi.waitFor(() => expect(lastVote.get()?.result).not.toBeNull());

test.each([
  ['bullish', 3, 1, '75 % agree with you · 4 votes'],
  ['bearish', 3, 1, '25 % agree with you · 4 votes'],
  ['bullish', 1, 1, '50 % agree with you · 2 votes'],
  ['bullish', 1, 0, 'You are the first to vote'],
  ['bearish', 0, 0, 'You are the first to vote'],
] as const)('a %s vote among %i and %i: %s [R47]', (voteType, bullishCount, bearishCount, words) => {
  expect(agreement(voteType, { bullishCount, bearishCount })).toBe(words);
});

describe('a vote that counts', () => {
  test('is announced with its reward, then with what others think and how to take it back [S4.5 R47]', async () => {
    cast();
    expect(announcement.get()).toMatch(/^Voted bullish on Coral, \+10 Snaps/);
    expect(reward.get()?.tokens).toBe(10);
    expect(phase()).toBe('open');
    await resultShown();
    expect(announcement.get()).toBe(
      'Voted bullish on Coral, +10 Snaps. 75 % agree with you · 4 votes. Z takes the vote back.',
    );
    const { id = 0 } = reward.get() ?? {};
    expect(lastVote.get()?.id).toBe(id);
    cast();
    expect(reward.get()?.id).toBe(id + 1);
  });
});

describe('taking it back [R46]', () => {
  test('is possible for five seconds from the sending, not at their end', () => {
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

  test('shows the numbers before it, deals the card first, and says so; the page shows no vote any longer', async () => {
    cast();
    await resultShown();
    const vote = lastVote.get();
    queryClient.setQueryData(queries.feed(USER.id).queryKey, { projects: [OTHER, PROJECT], limit: 10 });
    const response = Promise.withResolvers<typeof undone>();
    server().respond(undoVote, () => response.promise);
    expect(undoLastVote()).toBe(true);
    expect(phase()).toBe('undoing');
    expect(undoLastVote()).toBe(false);
    server().respond(getOwnVote, { vote: null, canVote: 'yes', undoableUntil: null, result: null });
    response.resolve(undone);
    await vi.waitFor(() => expect(undoneVote.get()).not.toBeNull());
    expect(undoneVote.get()).toEqual(vote);
    expect([lastVote.get(), reward.get()]).toEqual([null, null]);
    expect(announcement.get()).toBe('Took back your vote on Coral');
    expect(session.get().stats?.totalVotes).toBe(11);
    expect(queryClient.getQueryData(queries.votingStatus(USER.id).queryKey)?.votesRemaining).toBe(25);
    expect(queryClient.getQueryData(queries.feed(USER.id).queryKey)?.projects.map(({ id }) => id)).toEqual([1, 2]);
    expect(queryClient.getQueryData(ownVote)).toEqual({
      vote: null,
      canVote: 'yes',
      undoableUntil: null,
      result: null,
    });
    expect(server().calls(undoVote)).toHaveLength(1);
    expect(server().calls(undoVote)[0]?.params).toEqual({ projectId: '1' });
  });

  test.each([
    ['is lost stays open', () => server().lose(undoVote), 'open', /cannot be reached/],
    [
      'is rejected is final',
      () => server().reject(undoVote, 409, { error: 'too_late', message: 'Too late' }),
      'final',
      /^Too late$/,
    ],
    [
      'fails without words is final',
      () => server().failSilently(undoVote),
      'final',
      /^The vote could not be taken back$/,
    ],
  ] as const)('that %s, and says why', async (_, fail, next, words) => {
    cast();
    await resultShown();
    fail();
    undoLastVote();
    await vi.waitFor(() => expect(toasts.get()[0]).toMatchObject({ title: 'Undo Failed', variant: 'destructive' }));
    expect(toasts.get()[0]?.description).toMatch(words);
    expect(phase()).toBe(next);
    expect(undoneVote.get()).toBeNull();
  });
});
