import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { TOP_VOTERS } from '#shared/constants.ts';
import type { TopVoter } from '#shared/contract/leaderboard.ts';
import { imageUrl } from '#server/kit/image-url.ts';

interface Voter {
  id: number;
  username: string | null;
  walletAddress: string;
  avatarHash: string | null;
  totalVotes: number;
}

/** Totals of voters as others see them: those of a closed day, on a small site in steps (R85). */
export interface PublishedVoters {
  day: string | null;
  isInSteps: boolean;
  voters: readonly Voter[];
}

const ofUsers = ['users.id', 'users.username', 'users.walletAddress', 'users.avatarHash'] as const;

export async function findPublished(db: Db): Promise<PublishedVoters> {
  const { rows } = await sql<Pick<PublishedVoters, 'day' | 'isInSteps'>>`
    SELECT max(day)::text AS day, coalesce(bool_or(in_steps), false) AS "isInSteps" FROM vote_totals`.execute(db);
  const voters = await db
    .selectFrom('topVoters')
    .innerJoin('users', 'users.id', 'topVoters.userId')
    .select([...ofUsers, 'topVoters.totalVotes'])
    .where('users.deletedAt', 'is', null)
    .execute();
  return { day: null, isInSteps: false, ...rows[0], voters };
}

interface OwnPlace extends Voter {
  rank: number;
}

/** The user's present total and its place among the published ones; null without a vote, or while nothing is published. */
export async function findOwnPlace(db: Db, userId: number): Promise<OwnPlace | null> {
  const row = await db
    .selectFrom('userStats')
    .innerJoin('users', 'users.id', 'userStats.userId')
    .select([...ofUsers, 'userStats.totalVotes'])
    .select(({ selectFrom }) =>
      selectFrom('voteTotals')
        .select(
          sql<
            number | null
          >`coalesce(sum(users) FILTER (WHERE vote_totals.total_votes > user_stats.total_votes), 0)::int
          + CASE WHEN count(*) > 0 THEN 1 END`.as('rank'),
        )
        .as('rank'),
    )
    .where('userId', '=', userId)
    .where('userStats.totalVotes', '>', 0)
    .executeTakeFirst();
  return row?.rank ? { ...row, rank: row.rank } : null;
}

/** The first of the published voters, and the user in the place of the present total. */
export function rankVoters(published: PublishedVoters, own: OwnPlace | null): TopVoter[] {
  const others = published.voters.filter(({ id }) => id !== own?.id);
  const voters = (own ? [...others, own] : others)
    .toSorted((one, other) => other.totalVotes - one.totalVotes || one.id - other.id)
    .slice(0, TOP_VOTERS);
  const totals = voters.map(({ totalVotes }) => totalVotes);
  return voters.map(({ id, username, walletAddress, avatarHash, totalVotes }) => {
    const avatarUrl = avatarHash && imageUrl(avatarHash);
    return {
      rank: totals.indexOf(totalVotes) + 1,
      name: username,
      walletAddress,
      avatarUrl,
      totalVotes,
      user: { id, username, walletAddress, avatarUrl },
      stats: { totalVotes },
    };
  });
}

export const refreshTopVoters = ({ db }: { db: Db }): Promise<unknown> =>
  longTransaction(db, (trx) => sql`SELECT refresh_top_voters()`.execute(trx));
