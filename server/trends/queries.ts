import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { TREND_MAX_DAYS, type ProjectDay } from '#shared/contract/trends.ts';

/** The days of a project on which something changed, newest last. */
export async function listDays(db: Db, projectId: number): Promise<ProjectDay[]> {
  return db
    .selectFrom('projectDays')
    .select([sql<string>`day::text`.as('day'), 'bullish', 'bearish', 'votes', 'verifiedBullish', 'verifiedBearish'])
    .where('projectId', '=', projectId)
    .where(sql<boolean>`day > (now() AT TIME ZONE 'UTC')::date - ${TREND_MAX_DAYS}::int`)
    .orderBy('projectDays.day')
    .execute();
}
