import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';

export interface PlannedVote {
  userId: number;
  projectId: number;
  bullish: boolean;
  at: Date;
}

const CHUNK = 10_000;
const TOKENS = sql.lit(VOTE_REWARD_TOKENS);

/**
 * Casts votes of any moments with their consequences: reward, counters, the day of the last vote. Leaves out repeated
 * votes, and those on projects that a deleted account of the wallet has voted on.
 */
export async function castVotes(db: Db, votes: readonly PlannedVote[]): Promise<void> {
  for (let start = 0; start < votes.length; start += CHUNK) {
    const rows = votes.slice(start, start + CHUNK);
    await db.transaction().execute(async (trx) => {
      await sql`SET LOCAL session_replication_role = 'replica'`.execute(trx);
      await sql`
        WITH cast_now AS (
          INSERT INTO votes (user_id, project_id, bullish, created_at, period)
          SELECT v.*, period_at(p.period_starts, v.created_at) FROM unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ projectId }) => projectId)}::int[],
            ${rows.map(({ bullish }) => bullish)}::boolean[], ${rows.map((vote) => vote.at.toISOString())}::timestamptz[])
            AS v (user_id, project_id, bullish, created_at) JOIN projects p ON p.id = v.project_id
          JOIN user_stats b ON b.user_id = v.user_id AND (v.project_id = ANY (b.barred_projects)) IS NOT TRUE
          ON CONFLICT DO NOTHING RETURNING user_id, project_id, bullish::int AS up, (NOT bullish)::int AS down, (created_at AT TIME ZONE 'UTC')::date AS day
        ), of_projects AS (
          UPDATE project_stats s SET bullish = s.bullish + c.up, bearish = s.bearish + c.down
          FROM (SELECT project_id, sum(up) AS up, sum(down) AS down FROM cast_now GROUP BY 1) c WHERE c.project_id = s.project_id
        )
        UPDATE user_stats s SET total_votes = s.total_votes + c.votes, bullish = s.bullish + c.up, bearish = s.bearish + c.down,
          balance = s.balance + ${TOKENS} * c.votes, tokens_earned = s.tokens_earned + ${TOKENS} * c.votes, last_day = greatest(s.last_day, c.day)
        FROM (SELECT user_id, count(*) AS votes, sum(up) AS up, sum(down) AS down, max(day) AS day FROM cast_now GROUP BY 1) c
        WHERE c.user_id = s.user_id`.execute(trx);
    });
  }
}

export async function signIn(db: Db, count: number, time: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (wallet_address, created_at)
    SELECT '0x' || encode(sha256(convert_to('simulated ' || nextval('simulation.wallets')::text, 'utf8')), 'hex'), ${time} FROM generate_series(1, ${count})
    RETURNING id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`INSERT INTO user_stats (user_id) SELECT unnest(${ids}::bigint[])`.execute(db);
  return ids;
}
