import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { OverviewDay } from '#shared/contract/overview.ts';

export const OVERVIEW_DAYS = 90;

export async function lastDays(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT to_char((now() AT TIME ZONE 'UTC')::date - n, 'YYYY-MM-DD') AS day
    FROM generate_series(${OVERVIEW_DAYS}::int - 1, 0, -1) n`.execute(db);
  return rows.map(({ day }) => day);
}

interface Summed {
  day: string;
  sum: string;
}
const toMap = (rows: readonly Summed[]) => new Map(rows.map(({ day, sum }) => [day, BigInt(sum)]));

async function sumVotes(db: Db, since: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<Summed>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(votes)::text AS sum FROM project_days
    WHERE day >= ${since}::date GROUP BY 1`.execute(db);
  return toMap(rows);
}

async function sumRevenue(db: Db, since: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<Summed>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      sum(coalesce(received_mist, amount_mist))::text AS sum
    FROM payments WHERE state IN ('paid', 'fulfilled') AND created_at >= ${since}::timestamp AT TIME ZONE 'UTC'
    GROUP BY 1`.execute(db);
  return toMap(rows);
}

async function countUsers(db: Db, since: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<Summed>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::text AS sum FROM users
    WHERE created_at >= ${since}::timestamp AT TIME ZONE 'UTC' GROUP BY 1`.execute(db);
  return toMap(rows);
}

/** Finds burns by reviews, through their index, and by deletions of accounts, through their users. */
async function sumBurned(db: Db, since: string): Promise<Map<string, bigint>> {
  const from = sql`${since}::timestamp AT TIME ZONE 'UTC'`;
  const { rows } = await sql<Summed>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(-amount)::text AS sum FROM (
      SELECT created_at, amount FROM token_ledger WHERE kind IN ('review_burn', 'sentence_burn') AND created_at >= ${from}
      UNION ALL
      SELECT l.created_at, l.amount FROM users u JOIN token_ledger l ON l.user_id = u.id
      WHERE u.deleted_at >= ${from} AND l.kind = 'account_burn'
    ) burns GROUP BY 1`.execute(db);
  return toMap(rows);
}

export async function readDays(db: Db, days: readonly string[]): Promise<OverviewDay[]> {
  const since = days[0];
  if (since === undefined) return [];
  const [votes, revenue, burned, users] = await Promise.all([
    sumVotes(db, since),
    sumRevenue(db, since),
    sumBurned(db, since),
    countUsers(db, since),
  ]);
  return days.map((day) => {
    const cast = Number(votes.get(day) ?? 0n);
    return {
      day,
      votes: cast,
      users: Number(users.get(day) ?? 0n),
      revenueMist: String(revenue.get(day) ?? 0n),
      issued: cast * VOTE_REWARD_TOKENS,
      burned: Number(burned.get(day) ?? 0n),
    };
  });
}
