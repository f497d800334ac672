import { leaderboard } from '#shared/contract/index.ts';
import { implementCached } from '../http/declare.ts';
import type { Services } from '../services.ts';
import { findRank, listTopVoters } from './queries.ts';

/** Any user's vote or profile may change the list. */
const TAGS = ['u', 'n'];

const topVotersOf = ({ cache, replica }: Services) =>
  cache.getOrLoad('top-voters', TAGS, async () => ({ value: await listTopVoters(replica) }));

export const leaderboardRoutes = [
  implementCached(leaderboard.getLeaderboard, {
    key: ({ session, query }) => `leaderboard:${query.userId === undefined ? '' : session?.userId}`,
    tags: () => TAGS,
    load: async ({ services, session, query }) => {
      const [topVoters, currentUserRank] = await Promise.all([
        topVotersOf(services),
        session && query.userId !== undefined ? findRank(services.db, session.userId) : null,
      ]);
      return { value: { topVoters, currentUserRank } };
    },
  }),
];
