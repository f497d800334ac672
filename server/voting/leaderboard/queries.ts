import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { TOP_VOTERS } from '#shared/constants.ts';
import type { TopVoter } from '#shared/contract/leaderboard.ts';
import { imageUrl } from '#server/kit/image-url.ts';

export async function listTopVoters(db: Db): Promise<TopVoter[]> {
  const rows = await db
    .selectFrom('topVoters')
    .innerJoin('userStats', 'userStats.userId', 'topVoters.userId')
    .innerJoin('users', 'users.id', 'userStats.userId')
    .select(['users.id', 'users.username', 'users.walletAddress', 'users.avatarHash', 'userStats.totalVotes'])
    .where('userStats.totalVotes', '>', 0)
    .where('users.deletedAt', 'is', null)
    .orderBy('userStats.totalVotes', 'desc')
    .orderBy('userStats.userId')
    .limit(TOP_VOTERS)
    .execute();
  const totals = rows.map((row) => row.totalVotes);
  return rows.map((row) => {
    const avatarUrl = row.avatarHash && imageUrl(row.avatarHash);
    const { id, username, walletAddress } = row;
    return {
      rank: totals.indexOf(row.totalVotes) + 1,
      name: username,
      walletAddress,
      avatarUrl,
      totalVotes: row.totalVotes,
      user: { id, username, walletAddress, avatarUrl },
      stats: { totalVotes: row.totalVotes },
    };
  });
}

/** One more than the users with more votes; null without a vote. */
export async function findRank(db: Db, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom('userStats')
    .select(({ selectFrom }) =>
      selectFrom('voteTotals')
        .select(sql<number>`coalesce(sum(users), 0)::bigint`.as('above'))
        .whereRef('voteTotals.totalVotes', '>', 'userStats.totalVotes')
        .as('above'),
    )
    .where('userId', '=', userId)
    .where('totalVotes', '>', 0)
    .executeTakeFirst();
  return row ? Number(row.above) + 1 : null;
}

export const refreshTopVoters = ({ db }: { db: Db }): Promise<unknown> =>
  longTransaction(db, (trx) => sql`SELECT refresh_top_voters()`.execute(trx));
