import { leaderboard } from '#shared/contract/index.ts';
import { implement } from '../route.ts';
import { findRank, listTopVoters } from './queries.ts';

export const leaderboardRoutes = [
  implement(leaderboard.getLeaderboard, async ({ services, session, query }) => {
    const [topVoters, currentUserRank] = await Promise.all([
      listTopVoters(services.db),
      session && query.userId !== undefined ? findRank(services.db, session.userId) : null,
    ]);
    return { topVoters, currentUserRank };
  }),
];
