import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** Seconds until the moment that a query finds is this many hours old, for Retry-After. */
export async function secondsUntilOld(db: Db, moment: RawBuilder<Date>, hours: number): Promise<number> {
  const { rows } = await sql<{ waitS: number | null }>`
    SELECT ceil(extract(epoch FROM (${moment}) + make_interval(hours => ${hours}) - clock_timestamp()))::int AS "waitS"`.execute(
    db,
  );
  return Math.max(1, rows[0]?.waitS ?? 1);
}
