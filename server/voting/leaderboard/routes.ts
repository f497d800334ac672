import { leaderboard } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import type { Services } from '#server/kit/services.ts';
import { findOwnPlace, findPublished, rankVoters } from './queries.ts';

const READS = ['voters', 'profiles'] as const;

const publishedOf = ({ cache, replica }: Services) =>
  cache.getOrLoad('top-voters', READS, async () => ({ value: await findPublished(replica) }));

export const leaderboardRoutes = [
  route(
    leaderboard.getLeaderboard,
    {
      cache: {
        key: ({ session, query }) => `leaderboard:${query.userId === undefined ? '' : session?.userId}`,
        reads: [...READS, 'stats:own'],
      },
    },
    async ({ services, session, query }) => {
      const [published, own] = await Promise.all([
        publishedOf(services),
        session && query.userId !== undefined ? findOwnPlace(services.db, session.userId) : null,
      ]);
      const topVoters = rankVoters(published, own);
      const { day: asOf, isInSteps } = published;
      return { value: { topVoters, currentUserRank: own?.rank ?? null, asOf, isInSteps } };
    },
  ),
];
