// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { getStats } from '#shared/contract/users.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { projectOf, STATS, statsOf, USER, votingStatusOf } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { showNumbers, showUndone } from './numbers.ts';

const server = useTestPage();
const END = '2026-01-01T18:00:00.000Z';
const stats = (userId = USER.id) => queryClient.getQueryData(queries.stats(userId).queryKey)?.totalVotes;
const status = (userId = USER.id) => queryClient.getQueryData(queries.votingStatus(userId).queryKey);
const votes = (total: number) => ({ userStats: statsOf(total), votingStatus: votingStatusOf(total, END) });

beforeEach(() => session.signedIn({ user: USER, stats: STATS }));

test('a response updates the numbers at once, and an older one changes nothing [S4.5]', () => {
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

test('an undo lowers the number of votes, and puts its card first in the feed [R46]', () => {
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
