import type { Db } from '#db/client.ts';
import { TOP_VOTERS } from '#shared/constants.ts';
import type { TopVoter } from '#shared/contract/leaderboard.ts';
import { imageUrl } from '../images/url.ts';

/** The voters with most votes; equal totals share a rank, the older account comes first. */
export async function listTopVoters(db: Db): Promise<TopVoter[]> {
  const rows = await db
    .selectFrom('userStats')
    .innerJoin('users', 'users.id', 'userStats.userId')
    .select(['users.id', 'users.username', 'users.walletAddress', 'users.avatarHash', 'userStats.total'])
    .where('userStats.total', '>', 0)
    .orderBy('userStats.total', 'desc')
    .orderBy('userStats.userId')
    .limit(TOP_VOTERS)
    .execute();
  const totals = rows.map((row) => row.total);
  return rows.map((row) => {
    const avatarUrl = row.avatarHash && imageUrl(row.avatarHash);
    const { id, username, walletAddress } = row;
    return {
      rank: totals.indexOf(row.total) + 1,
      name: username,
      walletAddress,
      avatarUrl,
      totalVotes: row.total,
      user: { id, username, walletAddress, avatarUrl },
      stats: { totalVotes: row.total },
    };
  });
}

/** Rank of a user by votes cast: one more than the number of users with more votes; null without a vote. */
export async function findRank(db: Db, userId: number): Promise<number | null> {
  const own = await db.selectFrom('userStats').select('total').where('userId', '=', userId).executeTakeFirst();
  if (!own || own.total === 0) return null;
  const { above } = await db
    .selectFrom('userStats')
    .select(({ fn }) => fn.countAll<number>().as('above'))
    .where('total', '>', own.total)
    .executeTakeFirstOrThrow();
  return above + 1;
}
