import { leaderboard } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import type { Services } from '#server/kit/services.ts';
import { findRank, listTopVoters } from './queries.ts';

const READS = ['stats', 'profiles'] as const;

const topVotersOf = ({ cache, replica }: Services) =>
  cache.getOrLoad('top-voters', READS, async () => ({ value: await listTopVoters(replica) }));

export const leaderboardRoutes = [
  route(
    leaderboard.getLeaderboard,
    {
      cache: {
        key: ({ session, query }) => `leaderboard:${query.userId === undefined ? '' : session?.userId}`,
        reads: READS,
      },
    },
    async ({ services, session, query }) => {
      const [topVoters, currentUserRank] = await Promise.all([
        topVotersOf(services),
        session && query.userId !== undefined ? findRank(services.db, session.userId) : null,
      ]);
      return { value: { topVoters, currentUserRank } };
    },
  ),
];
