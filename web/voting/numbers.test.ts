// @vitest-environment happy-dom
/** Numbers that a vote changes, in the header, the panel and the deck: the newest ones, and only this user's. */
import { beforeEach, expect, test, vi } from 'vitest';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { projectOf, STATS, statsOf, USER, votingStatusOf } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { noteLimit, refreshSoon, showNumbers, showUndone } from './numbers.ts';

const server = useTestPage();
const END = '2026-01-01T18:00:00.000Z';
const stats = (userId = USER.id) => queryClient.getQueryData(queries.stats(userId).queryKey)?.totalVotes;
const status = (userId = USER.id) => queryClient.getQueryData(queries.votingStatus(userId).queryKey);
const votes = (total: number) => ({ userStats: statsOf(total), votingStatus: votingStatusOf(total, END) });

beforeEach(() => session.signedIn({ user: USER, stats: STATS }));

test('numbers of a response are shown at once, also in the header; older ones change nothing [S4.5]', () => {
  showNumbers(USER.id, votes(13));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([13, 13, 13]);
  showNumbers(USER.id, votes(12));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([13, 13, 13]);
  showNumbers(8, votes(20));
  expect([stats(), session.get().stats?.totalVotes]).toEqual([13, 13]);
});

test('a poll that was sent before the response does not jump back [S4.5]', async () => {
  const polled = Promise.withResolvers<typeof STATS>();
  server().respond(getStats, () => polled.promise);
  server().respond(getVotingStatus, () => new Promise(() => undefined));
  const polls = [
    queryClient.fetchQuery(queries.stats(USER.id)),
    queryClient.fetchQuery(queries.votingStatus(USER.id)),
  ].map((poll) => poll.catch(() => 'cancelled'));
  showNumbers(USER.id, votes(13));
  polled.resolve(statsOf(11));
  await Promise.all(polls);
  expect(stats()).toBe(13);
});

test('a poll that was sent before an undo does not bring the vote back [R46]', async () => {
  const polled = Promise.withResolvers<typeof STATS>();
  server().respond(getStats, () => polled.promise);
  const poll = queryClient.fetchQuery(queries.stats(USER.id)).catch(() => 'cancelled');
  showUndone(USER.id, projectOf(1), votes(12));
  polled.resolve(statsOf(13));
  await poll;
  expect(stats()).toBe(12);
});

test('after an undo fewer votes are the newer reading, and the card comes first, once [R46]', () => {
  showNumbers(USER.id, votes(13));
  const { queryKey } = queries.feed(USER.id);
  showUndone(USER.id, projectOf(1), votes(12));
  expect([stats(), status()?.totalVotes, session.get().stats?.totalVotes]).toEqual([12, 12, 12]);
  expect(queryClient.getQueryData(queryKey)).toBeUndefined();
  queryClient.setQueryData(queryKey, { projects: [projectOf(2), projectOf(1), projectOf(3)], limit: 10 });
  showUndone(USER.id, projectOf(1, { totalVotes: 4 }), votes(12));
  const feed = queryClient.getQueryData(queryKey);
  expect(feed?.projects.map(({ id, totalVotes }) => [id, totalVotes])).toEqual([
    [1, 4],
    [2, 0],
    [3, 0],
  ]);
  expect(feed?.limit).toBe(10);
});

test('a vote beyond the limit shows no vote left and when the next ones come; without a time nothing changes', () => {
  noteLimit(USER.id, 60);
  expect(status()).toBeUndefined();
  queryClient.setQueryData(queries.votingStatus(USER.id).queryKey, votingStatusOf(3, END));
  queryClient.setQueryData(queries.votingStatus(8).queryKey, votingStatusOf(3, END));
  noteLimit(USER.id, null);
  expect(status()).toEqual(votingStatusOf(3, END));
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const at = new Date(serverNow() + 60_000).toISOString();
  noteLimit(USER.id, 60);
  expect(status()).toEqual({ votesRemaining: 0, totalVotes: 25, totalVotesAllowed: 25, periodEndsAt: at });
  expect(status(8)).toEqual(votingStatusOf(3, END));
});

test('several votes in a row are read again once, a little after the last one [S4.5]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] });
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  const first = () => invalidated.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === '/api/users/stats');
  refreshSoon(USER.id);
  await vi.advanceTimersByTimeAsync(399);
  refreshSoon(USER.id);
  await vi.advanceTimersByTimeAsync(399);
  expect(invalidated).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(first()).toEqual([[{ queryKey: queries.stats(USER.id).queryKey }]]);
});
