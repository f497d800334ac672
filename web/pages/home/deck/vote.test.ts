import { beforeEach, describe, expect, test, vi } from 'vitest';
import { VOTE_LOCK_MS } from '#shared/constants.ts';
import { getProject } from '#shared/contract/projects.ts';
import { castVote, changeVote } from '#shared/contract/votes.ts';
import { announcement } from '../../../lib/announce.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { session } from '../../../lib/session.ts';
import {
  countedOf,
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
import { congratulation, reward } from '../../../voting/last-vote.ts';
import { outcome } from '../../../voting/outcome.ts';
import { canVote, deck, openDeck, skipTopCard, takeFeed, voteOnTop } from './vote.ts';

const PERIOD_ENDS_AT = new Date(Date.now() + 3_600_000).toISOString();
const status = (totalVotes: number) => votingStatusOf(totalVotes, PERIOD_ENDS_AT);
const response = (totalVotes: number, bonus: number | null = null) =>
  validResponse(castVote, countedOf(totalVotes, status(totalVotes), bonus));
const rejection = (statusCode: number, code: string, serverMessage: string, retryAfterS: number | null = null) =>
  new ApiError({ status: statusCode, code, serverMessage, field: null, retryAfterS, body: null });

type VoteResponse = ReturnType<typeof response>;
/** Votes that were sent, for responses in any order. */
let sent: PromiseWithResolvers<VoteResponse>[] = [];
let nowMs = 0;
const ids = () => deck.get().queue.map(({ id }) => id);
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

test('the deck ignores the feed of another user', () => {
  takeFeed(USER.id + 1, { projects: [projectOf(9)], limit: 10 });
  expect(ids()).toEqual([1, 2, 3]);
});

describe('a card of the day that asks about your earlier vote', () => {
  const asked = dailyOf([dailyCardOf(9, { kind: 'still_bullish', asksAbout: 'bullish' })]);
  const change = { userStats: statsOf(4), votingStatus: status(1), change: 'changed' as const };
  beforeEach(() => {
    queryClient.setQueryData(queries.dailyDeck(USER.id).queryKey, asked);
    takeFeed(USER.id, { projects: [], limit: 10 }, asked);
  });

  test('a card that asks about your vote is dealt although the feed lacks it, and its swipe changes the vote without a reward [R61 R57]', async () => {
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
});

describe('a vote', () => {
  test('a vote removes its card before the response and sends the body of the contract [S4.4 S7.7]', () => {
    expect(voteOnTop('bullish')).toBe(true);
    expect(ids()).toEqual([2, 3]);
    const body = { userId: USER.id, projectId: 1, voteType: 'bullish', identity: 1, tokensEarned: 10 };
    expect(api.castVote).toHaveBeenCalledExactlyOnceWith({ body });
  });
});

describe('a rejected vote', () => {
  test('a vote that another tab has cast removes the card and is no failure [R7]', async () => {
    voteOnTop('bullish');
    sent[0]?.reject(rejection(409, 'already_voted', 'Already voted on this project'));
    await vi.waitFor(() =>
      expect(toasts.get()[0]).toMatchObject({
        title: 'Already voted',
        description: 'Your earlier vote on Project 1 counts.',
      }),
    );
    takeFeed(USER.id, { projects: [projectOf(1), projectOf(2), projectOf(3)], limit: 10 });
    expect(ids()).toEqual([2, 3]);
  });

  test('a card whose project was renamed is dealt again with its new name [R60]', async () => {
    const renamed = projectPageOf(1, { name: 'Loud Frog', identity: 2 });
    vi.spyOn(api, 'getProject').mockResolvedValue(validResponse(getProject, renamed));
    const { queryKey } = queries.dailyDeck(USER.id);
    queryClient.setQueryData(queryKey, dailyOf([dailyCardOf(1)]));
    voteOnTop('bullish');
    const message = 'You saw another name, picture, handle or website. Look at it again before you vote';
    sent[0]?.reject(rejection(409, 'renamed', message));
    await vi.waitFor(() => expect(deck.get().queue[0]).toMatchObject({ id: 1, name: 'Loud Frog' }));
    expect(toasts.get()[0]).toMatchObject({ title: 'Project 1 has changed', description: message });
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
    unlock();
    voteOnTop('bullish');
    expect(api.castVote).toHaveBeenLastCalledWith({ body: expect.objectContaining({ projectId: 1, identity: 2 }) });
  });

  test('a vote beyond the limit returns its card, leaves no votes, and does not disable skip [R8 S2.16]', async () => {
    queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, status(20));
    voteOnTop('bullish');
    sent[0]?.reject(rejection(429, 'vote_limit', 'Rate limit reached', 3600));
    await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3]));
    expect(statusShown()?.votesRemaining).toBe(0);
    unlock();
    expect(canVote(USER.id)).toBe(false);
    expect(voteOnTop('bullish')).toBe(false);
    expect(skipTopCard()?.id).toBe(1);
    expect(ids()).toEqual([2, 3, 1]);
  });

  test('a vote without a session is not sent [S8.16]', () => {
    vi.spyOn(api, 'signOut').mockResolvedValue({ success: true });
    void session.signOut();
    expect(voteOnTop('bullish')).toBe(false);
    expect(toasts.get()[0]).toMatchObject({ title: 'Vote Failed', description: 'User not logged in' });
    expect(sent).toEqual([]);
  });
});

test("a vote on a project's page that the day's deck lacks has the deck of the day read again [R49]", () => {
  const { queryKey } = queries.dailyDeck(USER.id);
  queryClient.setQueryData(queryKey, dailyOf([dailyCardOf(1)]));
  const isStale = () => queryClient.getQueryState(queryKey)?.isInvalidated;
  const count = (id: number) =>
    outcome.set({
      vote: { userId: USER.id, voteType: 'bullish', project: projectOf(id) },
      fate: { kind: 'counted_before' },
    });
  count(1);
  expect(isStale()).toBe(false);
  count(9);
  expect(isStale()).toBe(true);
});

test('the last vote of the period is not sent twice while its response is pending [S9.1]', () => {
  queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, status(24));
  expect(voteOnTop('bullish')).toBe(true);
  unlock();
  expect(voteOnTop('bullish')).toBe(false);
  expect(sent).toHaveLength(1);
});

test("late responses to another user's votes do not change the deck", async () => {
  voteOnTop('bullish');
  session.signedIn({ user: { ...USER, id: 8 }, stats: statsOf(0) });
  openDeck(8);
  takeFeed(8, { projects: [projectOf(5)], limit: 10 });
  sent[0]?.resolve(response(1));
  // Every step after the response has had its turn.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(ids()).toEqual([5]);
  expect(reward.get()).toBeNull();
});
