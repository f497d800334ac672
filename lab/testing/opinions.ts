import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { behindTheTriggers } from './builders.ts';

/**
 * Makes the votes and changes of a user older by this interval, with day and window, as if the time had passed: those
 * on one project if it is named, otherwise all.
 */
export async function ageVotes(db: Db, userId: number, by: string, projectId: number | null = null): Promise<void> {
  const isOwn = sql`user_id = ${userId} AND coalesce(project_id = ${projectId}::int, true)`;
  await behindTheTriggers(db, async (trx) => {
    await sql`UPDATE votes SET created_at = created_at - ${by}::interval WHERE ${isOwn}`.execute(trx);
    await sql`WITH gone AS (DELETE FROM vote_changes WHERE ${isOwn} RETURNING *)
      INSERT INTO vote_changes (user_id, said_at, cast_at, was_said_at, turned_at, project_id, period, bullish, was_bullish)
      SELECT user_id, said_at - ${by}::interval, cast_at - ${by}::interval, was_said_at - ${by}::interval, turned_at - ${by}::interval,
        project_id, period, bullish, was_bullish FROM gone ORDER BY said_at`.execute(trx);
    await sql`UPDATE user_stats SET window_started_at = window_started_at - ${by}::interval, undoable_from = undoable_from - ${by}::interval,
      last_day = (SELECT max((said_at AT TIME ZONE 'UTC')::date) FROM opinions o WHERE o.user_id = user_stats.user_id)
      WHERE user_id = ${userId}`.execute(trx);
  });
}
