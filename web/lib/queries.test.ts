import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listPayments } from '#shared/contract/payments.ts';
import { ApiError } from './api-error.ts';
import { queries, queryClient, refreshAfterVote } from './queries.ts';
import { paymentOf } from '../testing/made-up.ts';
import { validAnswer } from '../../shared/testing/valid-answer.ts';

beforeEach(() => queryClient.clear());
afterEach(() => vi.unstubAllGlobals());

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

test('payments are read to the last page: one that waits for a decision is shown however old it is [R16]', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const isFirst = !url.includes('cursor');
    const headers: Record<string, string> = isFirst ? { 'x-next-cursor': 'older' } : {};
    return new Response(
      JSON.stringify(validAnswer(listPayments, [paymentOf('paid', { paymentId: isFirst ? 'new' : 'old' })])),
      { headers },
    );
  });
  const payments = await queryClient.fetchQuery(queries.payments(1));
  expect(payments.map(({ paymentId }) => paymentId)).toEqual(['new', 'old']);
  expect(asked).toEqual(['/api/payments', '/api/payments?cursor=older']);
});

test('data is never stale, and coming back to the window reads nothing [S9.15]', () => {
  expect(queryClient.getDefaultOptions().queries).toMatchObject({
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  expect(queryClient.getDefaultOptions().mutations).toMatchObject({ retry: false });
});

test('polls: stats and status 5 s, reviews 10 s, both leaderboards 30 s [S9.4]', () => {
  expect(queries.stats(1).refetchInterval).toBe(5_000);
  expect(queries.votingStatus(1).refetchInterval).toBe(5_000);
  expect(queries.reviews(1).refetchInterval).toBe(10_000);
  expect(queries.voterLeaderboard(1).refetchInterval).toBe(30_000);
  expect(queries.topProjects().refetchInterval).toBe(30_000);
});

test('a vote refreshes feed, leaderboards, voting status, stats and history, and nothing of other users [S4.5]', async () => {
  const touched = [
    queries.feed(1),
    queries.topProjects(),
    queries.projectLeaderboard(),
    queries.voterLeaderboard(1),
    queries.votingStatus(1),
    queries.stats(1),
    queries.votes(1),
  ].map((query) => query.queryKey);
  const untouched = [queries.feed(2).queryKey, queries.user(1).queryKey, queries.reviews(1).queryKey];
  for (const key of [...touched, ...untouched]) queryClient.setQueryData(key, []);
  await refreshAfterVote(1);
  for (const key of touched) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  for (const key of untouched) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false);
});
