import { beforeEach, describe, expect, test, vi } from 'vitest';
import { VOTE_LOCK_MS } from '#shared/constants.ts';
import { getProject } from '#shared/contract/projects.ts';
import { castVote, changeVote } from '#shared/contract/votes.ts';
import { announcement } from '../../../lib/announce.ts';
import { api } from '../../../lib/api.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { session } from '../../../lib/session.ts';
import {
  apiErrorOf,
  dailyCardOf,
  dailyOf,
  projectOf,
  projectPageOf,
  statsOf,
  USER,
  votingStatusOf,
} from '../../../testing/made-up.ts';
import { validResponse } from '../../../../shared/testing/valid-response.ts';
import { toasts } from '../../../lib/toast.ts';
import { congratulation, reward } from '../../../voting/reward.ts';
import { outcome } from '../../../voting/outcome.ts';
import { canVote, deck, openDeck, skipTopCard, takeFeed, voteOnTop } from './vote.ts';

const PERIOD_ENDS_AT = new Date(Date.now() + 3_600_000).toISOString();
const status = (totalVotes: number) => votingStatusOf(totalVotes, PERIOD_ENDS_AT);
const response = (totalVotes: number, bonus: number | null = null) =>
  validResponse(castVote, {
    userStats: statsOf(totalVotes),
    votingStatus: status(totalVotes),
    tokensEarned: 10,
    congratulation: bonus,
  });

type VoteResponse = ReturnType<typeof response>;
/** Votes that were sent, for responses in any order. */
let sent: PromiseWithResolvers<VoteResponse>[] = [];
let nowMs = 0;
const ids = () => deck.get().queue.map(({ id }) => id);
const statsShown = () => queryClient.getQueryData(queries.stats(USER.id).queryKey);
const statusShown = () => queryClient.getQueryData(queries.votingStatus(USER.id).queryKey);
const unlock = () => {
  nowMs += VOTE_LOCK_MS;
};

beforeEach(() => {
  sent = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(api, 'castVote').mockImplementation(() => {
    const vote = Promise.withResolvers<VoteResponse>();
    sent.push(vote);
    return vote.promise;
  });
  unlock();
  queryClient.clear();
  toasts.set([]);
  reward.set(null);
  congratulation.set(null);
  announcement.set('');
  session.signedIn({ user: USER, stats: statsOf(0) });
  openDeck(0);
  openDeck(USER.id);
  takeFeed(USER.id, { projects: [projectOf(1), projectOf(2), projectOf(3)], limit: 10 });
});

describe('a card of the day that asks about your earlier vote', () => {
  const asked = dailyOf([dailyCardOf(9, { kind: 'still_bullish', asksAbout: 'bullish' })]);
  const change = { userStats: statsOf(4), votingStatus: status(1), change: 'changed' as const };
  beforeEach(() => {
    queryClient.setQueryData(queries.dailyDeck(USER.id).queryKey, asked);
    takeFeed(USER.id, { projects: [], limit: 10 }, asked);
  });

  test('a card that asks about a vote is dealt although the feed lacks it, and its swipe changes the vote without a reward [R61 R57]', async () => {
    expect(ids()).toEqual([9]);
    vi.spyOn(api, 'changeVote').mockResolvedValue(validResponse(changeVote, change));
    expect(voteOnTop('bearish')).toBe(true);
    expect(api.changeVote).toHaveBeenCalledExactlyOnceWith({
      params: { projectId: 9 },
      body: { voteType: 'bearish', identity: 1 },
    });
    await vi.waitFor(() =>
      expect(announcement.get()).toBe('Changed your vote on Project 9 to bearish. Press Z to undo.'),
    );
    expect([reward.get(), ids()]).toEqual([null, []]);
    expect(sent).toEqual([]);
  });

  test('a card that asks about a vote is removed after the vote was changed elsewhere [R61]', async () => {
    vi.spyOn(api, 'changeVote').mockRejectedValue(
      apiErrorOf(409, 'changed_today', 'You have changed or confirmed this vote today'),
    );
    voteOnTop('bullish');
    await vi.waitFor(() => expect(toasts.get()).toHaveLength(1));
    expect(ids()).toEqual([]);
  });
});

test('a vote removes its card at once and sends the body of the contract [S4.4 S7.7]', () => {
  expect(voteOnTop('bullish')).toBe(true);
  expect(ids()).toEqual([2, 3]);
  const body = { userId: USER.id, projectId: 1, voteType: 'bullish', identity: 1, tokensEarned: 10 };
  expect(api.castVote).toHaveBeenCalledExactlyOnceWith({ body });
});

test("a vote's response updates the numbers, shows the reward and is announced [S4.5 S2.13]", async () => {
  voteOnTop('bearish');
  sent[0]?.resolve(response(1));
  await vi.waitFor(() => expect(reward.get()?.tokens).toBe(10));
  expect(statsShown()?.totalVotes).toBe(1);
  expect(statusShown()?.votesRemaining).toBe(24);
  expect(session.get().stats?.tokenBalance).toBe(10);
  expect(announcement.get()).toBe('Voted bearish on Project 1, +10 Snaps. Press Z to undo.');
  expect(congratulation.get()).toBeNull();
});

test("a failed vote puts its card back on top and shows the server's message [S8.15 S8.3]", async () => {
  voteOnTop('bullish');
  sent[0]?.reject(apiErrorOf(503, 'vote_failed', 'The vote could not be counted. Please try again.'));
  await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3]));
  expect(toasts.get()[0]).toMatchObject({
    title: 'Vote Failed',
    description: 'The vote could not be counted. Please try again.',
    variant: 'destructive',
  });
  expect(reward.get()).toBeNull();
});

test('a vote that was cast in another tab removes its card without an error [R7]', async () => {
  voteOnTop('bullish');
  sent[0]?.reject(apiErrorOf(409, 'already_voted', 'Already voted on this project'));
  await vi.waitFor(() =>
    expect(toasts.get()[0]).toMatchObject({
      title: 'Already voted',
      description: 'Your earlier vote on Project 1 counts.',
    }),
  );
  takeFeed(USER.id, { projects: [projectOf(1), projectOf(2), projectOf(3)], limit: 10 });
  expect(ids()).toEqual([2, 3]);
});

test('a vote on a renamed project deals the card again as it is now [R60]', async () => {
  const renamed = projectPageOf(1, { name: 'Loud Frog', identity: 2 });
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(validResponse(getProject, renamed))));
  const { queryKey } = queries.dailyDeck(USER.id);
  queryClient.setQueryData(queryKey, dailyOf([dailyCardOf(1)]));
  voteOnTop('bullish');
  const message = 'You saw another name, picture, handle or website. Look at it again before you vote';
  sent[0]?.reject(apiErrorOf(409, 'renamed', message));
  await vi.waitFor(() => expect(deck.get().queue[0]).toMatchObject({ id: 1, name: 'Loud Frog' }));
  expect(toasts.get()[0]).toMatchObject({ title: 'Project 1 has changed', description: message });
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  unlock();
  voteOnTop('bullish');
  expect(api.castVote).toHaveBeenLastCalledWith({
    body: expect.objectContaining({ projectId: 1, identity: 2 }),
  });
});

test('a vote beyond the limit returns its card and leaves no votes, and skipping works [R8 S2.16]', async () => {
  queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, status(20));
  voteOnTop('bullish');
  sent[0]?.reject(apiErrorOf(429, 'vote_limit', 'Rate limit reached', { retryAfterS: 3600 }));
  await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3]));
  expect(statusShown()?.votesRemaining).toBe(0);
  unlock();
  expect(canVote(USER.id)).toBe(false);
  expect(voteOnTop('bullish')).toBe(false);
  expect(skipTopCard()?.id).toBe(1);
  expect(ids()).toEqual([2, 3, 1]);
});

test('no vote is sent after the session has ended elsewhere [R4]', () => {
  session.lost(session.era());
  expect(canVote(USER.id)).toBe(false);
  expect(voteOnTop('bullish')).toBe(false);
  expect(ids()).toEqual([1, 2, 3]);
  expect(sent).toEqual([]);
});

test('no vote is sent without a session [S8.16]', () => {
  vi.spyOn(api, 'signOut').mockResolvedValue({ success: true });
  void session.signOut();
  expect(voteOnTop('bullish')).toBe(false);
  expect(toasts.get()[0]).toMatchObject({ title: 'Vote Failed', description: 'User not logged in' });
  expect(sent).toEqual([]);
});

test("a vote on a project's page that the daily deck lacks reads the daily deck again [R49]", () => {
  const { queryKey } = queries.dailyDeck(USER.id);
  queryClient.setQueryData(queryKey, dailyOf([dailyCardOf(1)]));
  const isStale = () => queryClient.getQueryState(queryKey)?.isInvalidated;
  const vote = { userId: USER.id, voteType: 'bullish' } as const;
  outcome.set({ vote: { ...vote, project: projectOf(1) }, fate: { kind: 'counted', response: response(1) } });
  expect(isStale()).toBe(false);
  outcome.set({ vote: { ...vote, project: projectOf(9) }, fate: { kind: 'counted', response: response(2) } });
  expect(isStale()).toBe(true);
});

test('no second vote is sent while the last vote of the period is pending [S9.1]', () => {
  queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, status(24));
  expect(voteOnTop('bullish')).toBe(true);
  unlock();
  expect(voteOnTop('bullish')).toBe(false);
  expect(sent).toHaveLength(1);
});

test('another user gets another deck, and late responses of the first one change nothing', async () => {
  voteOnTop('bullish');
  session.signedIn({ user: { ...USER, id: 8 }, stats: statsOf(0) });
  openDeck(8);
  takeFeed(8, { projects: [projectOf(5)], limit: 10 });
  sent[0]?.resolve(response(1));
  // Let every step after the response run.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(ids()).toEqual([5]);
  expect(reward.get()).toBeNull();
});
