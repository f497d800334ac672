// @vitest-environment happy-dom
import { describe, expect, test, beforeEach } from 'vitest';
import { statsOf, votingStatusOf, projectOf, STATS, USER } from '../testing/made-up.ts';
import { countdown, limitPhase, newerStats, newerStatus } from './vote-response.ts';
import { ApiError } from '../lib/api-error.ts';
import { failureOf } from './send-vote.ts';
import { getStats } from '#shared/contract/users.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { useTestPage } from '../testing/screen.tsx';
import { showNumbers, showUndone } from './numbers.ts';

const EARLY = '2026-01-01T06:00:00.000Z';
const LATE = '2026-01-01T13:00:00.000Z';

describe('responses that overtake each other [S4.5]', () => {
  test('stats never jump back to fewer votes, and the same count takes the newer balance [S4.5]', () => {
    expect(newerStats(statsOf(5), statsOf(4))).toEqual(statsOf(5));
    expect(newerStats(statsOf(5), { ...statsOf(5), tokenBalance: 0 }).tokenBalance).toBe(0);
    expect(newerStats(undefined, statsOf(4))).toEqual(statsOf(4));
  });

  test('votes remaining only shrink within a window, and start again with the next [R8]', () => {
    expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(8, EARLY)).votesRemaining).toBe(16);
    expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(10, EARLY)).votesRemaining).toBe(15);
    expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(1, LATE)).votesRemaining).toBe(24);
    expect(newerStatus(votingStatusOf(1, LATE), votingStatusOf(25, EARLY)).votesRemaining).toBe(24);
    expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(0, null)).votesRemaining).toBe(25);
    expect(newerStatus(votingStatusOf(0, null), votingStatusOf(1, EARLY)).votesRemaining).toBe(24);
  });
});

describe('limit [S2.16]', () => {
  const end = Date.parse(EARLY);
  test('the limit lasts until the period ends, and is resetting until a fresh status [S2.16]', () => {
    expect(limitPhase(votingStatusOf(24, EARLY), end - 1)).toBe('open');
    expect(limitPhase(votingStatusOf(25, EARLY), end - 1)).toBe('limited');
    expect(limitPhase(votingStatusOf(25, EARLY), end)).toBe('resetting');
    expect(limitPhase(votingStatusOf(0, null), end)).toBe('open');
    expect(limitPhase(undefined, end)).toBe('open');
  });

  test.each([
    [6 * 3600 * 1000, '6h 00m 00s'],
    [3_605_000, '1h 00m 05s'],
    [3_599_001, '1h 00m 00s'],
    [65_000, '1m 05s'],
    [999, '1s'],
    [0, 'Resetting...'],
    [-5000, 'Resetting...'],
  ])('a countdown with %d ms left says %s [S2.16]', (leftMs, text) => {
    expect(countdown(end, end - leftMs)).toBe(text);
  });
});

const errorOf = (status: number, code: string, retryAfterS: number | null = null) =>
  new ApiError({ status, code, serverMessage: 'Why', field: null, retryAfterS, body: null });

describe('a vote', () => {
  test('a vote without a response is lost', () => {
    expect(failureOf(ApiError.offline(new TypeError('Failed to fetch')))).toMatchObject({ kind: 'lost' });
  });

  test.each([
    [errorOf(502, 'http_502'), null],
    [errorOf(503, 'vote_failed', 2), 2],
    [errorOf(408, 'http_408'), null],
    [errorOf(429, 'rate_limited', 30), 30],
    [new Error('A crash of our own'), null],
  ])('a vote can be sent again after %s', (error, retryAfterS) => {
    expect(failureOf(error)).toMatchObject({ kind: 'retry', retryAfterS });
  });

  test.each(['already_voted', 'project_expired', 'own_project', 'project_not_found'])(
    'a vote with the code %s is rejected [R7]',
    (code) => {
      expect(failureOf(errorOf(409, code))).toEqual({ kind: 'rejected', code, message: 'Why', retryAfterS: null });
    },
  );

  test('a vote is returned beyond the limit, and when the request was invalid [R8]', () => {
    expect(failureOf(errorOf(429, 'vote_limit', 3600))).toMatchObject({ kind: 'returned', retryAfterS: 3600 });
    expect(failureOf(errorOf(400, 'bad_request'))).toMatchObject({ kind: 'returned', code: 'bad_request' });
  });

  test('a vote without a session needs a new sign-in', () => {
    expect(failureOf(errorOf(401, 'not_signed_in'))).toMatchObject({ kind: 'no_session' });
  });
});

const server = useTestPage();
const END = '2026-01-01T18:00:00.000Z';
const stats = (userId = USER.id) => queryClient.getQueryData(queries.stats(userId).queryKey)?.totalVotes;
const status = (userId = USER.id) => queryClient.getQueryData(queries.votingStatus(userId).queryKey);
const votes = (total: number) => ({ userStats: statsOf(total), votingStatus: votingStatusOf(total, END) });

beforeEach(() => session.signedIn({ user: USER, stats: STATS }));

test('the numbers of a response are shown at once, and older ones change nothing [S4.5]', () => {
  showNumbers(USER.id, votes(13));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([13, 13, 13]);
  showNumbers(USER.id, votes(12));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([13, 13, 13]);
  showNumbers(8, votes(20));
  expect([stats(), session.get().stats?.totalVotes]).toEqual([13, 13]);
});

const voteOn = (id: number) => ({ userId: USER.id, project: projectOf(id), voteType: 'bullish' as const });

test('a poll that was sent before an undo does not bring the vote back [R46]', async () => {
  const polled = Promise.withResolvers<typeof STATS>();
  server().respond(getStats, () => polled.promise);
  const poll = queryClient.fetchQuery(queries.stats(USER.id)).catch(() => 'cancelled');
  showUndone(voteOn(1), votes(12));
  polled.resolve(statsOf(13));
  await poll;
  expect(stats()).toBe(12);
});

test('after an undo fewer votes are the newer reading, and the card comes first, once [R46]', () => {
  showNumbers(USER.id, votes(13));
  const { queryKey } = queries.feed(USER.id);
  showUndone(voteOn(1), votes(12));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([12, 12, 12]);
  expect(queryClient.getQueryData(queryKey)).toBeUndefined();
  queryClient.setQueryData(queryKey, { projects: [projectOf(2), projectOf(1), projectOf(3)], limit: 10 });
  showUndone({ ...voteOn(1), project: projectOf(1, { totalVotes: 4 }) }, votes(12));
  const feed = queryClient.getQueryData(queryKey);
  expect(feed?.projects.map(({ id, totalVotes }) => [id, totalVotes])).toEqual([
    [1, 4],
    [2, 0],
    [3, 0],
  ]);
  expect(feed?.limit).toBe(10);
});
