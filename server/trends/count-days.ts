import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Services } from '../services.ts';

/** For this long after midnight the day before is counted, too: a vote of its last second may be stored late, or be undone. */
const LATE_MS = 3_600_000;

/**
 * Counts what votes changed since the day of the last count, for trends of single projects and the order 'Trending'. The first count
 * reads all votes; later ones read those of today.
 */
export async function countDays({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL statement_timeout = '10min'`.execute(trx);
    await countDaysIn(trx);
  });
}

/** As `countDays`, in an open transaction. */
export async function countDaysIn(trx: Db): Promise<void> {
  await sql`SELECT count_project_days(coalesce(
    (SELECT least(day, ((now() - ${LATE_MS} * interval '1 millisecond') AT TIME ZONE 'UTC')::date) FROM project_days ORDER BY day DESC LIMIT 1), '-infinity'))`.execute(
    trx,
  );
  await sql`SELECT count_trends()`.execute(trx);
}
