import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { type MoveServices, moveTotals } from '../totals/move.ts';

/** The day before is counted this long after midnight: a late vote may be stored, or undone. */
const LATE_MS = 3_600_000;

export async function countDays(services: MoveServices): Promise<void> {
  await moveTotals(services);
  await longTransaction(services.db, countDaysIn);
}

/** Replaces the last count of the day, some minutes before midnight, by the recorded figures. */
async function storeRecordedDay(trx: Db): Promise<void> {
  await sql`
    INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
    SELECT r.project_id, c.day, k.bullish, k.bearish, 0, r.verified_bullish, r.verified_bearish
    FROM (SELECT day, until FROM log_checkpoints ORDER BY size DESC LIMIT 1) c
    CROSS JOIN (
      SELECT project_id, sum(verified_bullish)::bigint AS verified_bullish, sum(verified_bearish)::bigint AS verified_bearish
      FROM recorded_totals GROUP BY project_id
    ) r
    CROSS JOIN LATERAL (
      SELECT * FROM project_days d WHERE d.project_id = r.project_id AND d.day <= c.day ORDER BY d.day DESC LIMIT 1
    ) k
    WHERE c.until = (c.day + 1)::timestamp AT TIME ZONE 'UTC'
      AND (k.verified_bullish, k.verified_bearish) IS DISTINCT FROM (r.verified_bullish, r.verified_bearish)
    ON CONFLICT (project_id, day) DO UPDATE SET verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish`.execute(
    trx,
  );
}

async function countDaysIn(trx: Db): Promise<void> {
  await sql`SELECT count_project_days(coalesce(
    (SELECT least(day, ((now() - ${LATE_MS} * interval '1 millisecond') AT TIME ZONE 'UTC')::date) FROM project_days ORDER BY day DESC LIMIT 1), '-infinity'))`.execute(
    trx,
  );
  await sql`SELECT count_trends()`.execute(trx);
  await storeRecordedDay(trx);
}
