import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listPayments } from '#shared/contract/payments.ts';
import { getOwnVote } from '#shared/contract/votes.ts';
import { ApiError } from './api-error.ts';
import { queries, queryClient, refreshAfterVote } from './queries.ts';
import { session } from './session.ts';
import { paymentOf, USER } from '../testing/made-up.ts';
import { validResponse } from '../../shared/testing/valid-response.ts';

beforeEach(() => queryClient.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const failing = () =>
  vi.fn<typeof globalThis.fetch>(async () => new Response('{"message":"secret detail"}', { status: 500 }));

async function messageOf(run: () => Promise<unknown>): Promise<string> {
  const fetch = failing();
  vi.stubGlobal('fetch', fetch);
  const error: unknown = await run().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).cause).toBeInstanceOf(ApiError);
  return (error as Error).message;
}

test('a failed read is not repeated and has the message of the catalogue [S8.2 S9.15]', async () => {
  expect(await messageOf(() => queryClient.fetchQuery(queries.feed(1)))).toBe('Failed to fetch projects');
  expect(await messageOf(() => queryClient.fetchQuery(queries.previewProjects()))).toBe(
    'Failed to fetch preview projects',
  );
  expect(await messageOf(() => queryClient.fetchQuery(queries.votingStatus(1)))).toBe('Failed to fetch voting status');
  expect(await messageOf(() => queryClient.fetchQuery(queries.user(1)))).toBe('Failed to fetch user');
  expect(await messageOf(() => queryClient.fetchQuery(queries.stats(1)))).toBe('Failed to fetch user stats');
  expect(await messageOf(() => queryClient.fetchQuery(queries.voterLeaderboard(1)))).toBe(
    'Failed to fetch leaderboard',
  );
  expect(await messageOf(() => queryClient.fetchQuery(queries.topProjects()))).toBe('Failed to fetch top projects');
  expect(await messageOf(() => queryClient.fetchQuery(queries.project('x')))).toBe('Failed to fetch project');
  expect(await messageOf(() => queryClient.fetchQuery(queries.reviews(1)))).toBe('Failed to fetch reviews');
  expect(await messageOf(() => queryClient.fetchQuery(queries.votes(1)))).toBe('Failed to fetch voting history');
});

test('payments are read to the last page, so that an old open one is shown [R16]', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const isFirst = !url.includes('cursor');
    const headers: Record<string, string> = isFirst ? { 'x-next-cursor': 'older' } : {};
    return new Response(
      JSON.stringify(validResponse(listPayments, [paymentOf('paid', { paymentId: isFirst ? 'new' : 'old' })])),
      { headers },
    );
  });
  const payments = await queryClient.fetchQuery(queries.payments(1));
  expect(payments.map(({ paymentId }) => paymentId)).toEqual(['new', 'old']);
  expect(asked).toEqual(['/api/payments', '/api/payments?cursor=older']);
});

test('data never goes stale, and returning to the window reads nothing [S9.15]', () => {
  expect(queryClient.getDefaultOptions().queries).toMatchObject({
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  expect(queryClient.getDefaultOptions().mutations).toMatchObject({ retry: false });
});

test('stats and status are polled every 5 s, reviews every 10 s, leaderboards every 30 s [S9.4]', () => {
  expect(queries.stats(1).refetchInterval).toBe(5_000);
  expect(queries.votingStatus(1).refetchInterval).toBe(5_000);
  expect(queries.reviews(1).refetchInterval).toBe(10_000);
  expect(queries.voterLeaderboard(1).refetchInterval).toBe(30_000);
  expect(queries.topProjects().refetchInterval).toBe(30_000);
});

test('a vote refreshes everything that it changes for its user, and nothing of others [S4.5]', async () => {
  const touched = [
    queries.feed(1),
    queries.topProjects(),
    queries.voterLeaderboard(1),
    queries.votingStatus(1),
    queries.stats(1),
    queries.votes(1),
    queries.votePages(1),
    queries.calls(1),
  ].map((query) => query.queryKey);
  const untouched = [queries.feed(2).queryKey, queries.user(1).queryKey, queries.reviews(1).queryKey];
  for (const key of [...touched, ...untouched]) queryClient.setQueryData(key, []);
  await refreshAfterVote(1);
  for (const key of touched) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  for (const key of untouched) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false);
});

const STATS = {
  tokenBalance: 1,
  totalVotes: 2,
  bullishVotes: 2,
  bearishVotes: 0,
  currentStreak: 1,
  bullishPercentage: 100,
  tokensEarned: 20,
  streak: 1,
};
const sessionOf = (id: number) => ({ user: { ...USER, id }, stats: STATS });

test('another user sees no data of the previous one, and the same user reads it again', () => {
  // Outside of a browser nothing can be stored.
  vi.spyOn(console, 'warn').mockReturnValue();
  session.signedIn(sessionOf(1));
  const own = [queries.withdrawals(1).queryKey, queries.activity(1).queryKey, queries.walletProjects('0x1').queryKey];
  for (const key of own) queryClient.setQueryData(key, { pages: [], pageParams: [] });
  queryClient.setQueryData(queries.topProjects().queryKey, []);
  session.lost(session.era());
  for (const key of own) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false);
  session.signedIn(sessionOf(1));
  for (const key of own) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  session.signedIn(sessionOf(2));
  for (const key of own) expect(queryClient.getQueryState(key)).toBeUndefined();
  expect(queryClient.getQueryData(queries.topProjects().queryKey)).toEqual([]);
});

test('public reads continue after a session has ended, and private reads stop [R4]', () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  session.signedIn({ user: USER, stats: STATS });
  expect(queries.voterLeaderboard(USER.id).enabled).toBe(true);
  session.lost(session.era());
  expect(queries.voterLeaderboard(USER.id)).toMatchObject({ enabled: false, meta: { isOwn: true } });
  expect(queries.voterLeaderboard()).not.toHaveProperty('enabled');
  expect(queries.voterLeaderboard()).not.toHaveProperty('meta');
});

test('a read that is older than a write is replaced by the read after it', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  session.signedIn({ user: USER, stats: STATS });
  const responses: Array<PromiseWithResolvers<Response>> = [];
  vi.stubGlobal('fetch', async () => {
    const response = Promise.withResolvers<Response>();
    responses.push(response);
    return response.promise;
  });
  const answer = (at: number, canVote: 'yes' | 'voted') => {
    const body = { vote: null, canVote, changeableFrom: null, undoableUntil: null, result: null };
    responses[at]?.resolve(new Response(JSON.stringify(validResponse(getOwnVote, body))));
  };
  const stop = new QueryObserver(queryClient, queries.ownVote(USER.id, 2)).subscribe(() => undefined);
  const { queryKey } = queries.ownVote(USER.id, 2);
  await vi.waitFor(() => expect(responses).toHaveLength(1));
  const refreshed = queryClient.invalidateQueries({ queryKey });
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  answer(0, 'yes');
  answer(1, 'voted');
  await refreshed;
  expect([responses.length, queryClient.getQueryData(queryKey)?.canVote]).toEqual([2, 'voted']);
  stop();
});
