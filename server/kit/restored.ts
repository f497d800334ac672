import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Services } from './services.ts';

/** A restored copy differs in one of cluster, timeline and database, unless a whole disk was restored. */
const IDENTITY = sql<string>`(SELECT system_identifier FROM pg_control_system())::text || ':' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ':' || (SELECT oid FROM pg_database WHERE datname = current_database())`;
const SEEN_SECONDS = 60;

/** Notices that the database is a restored copy: what happened since it was last seen may be missing. */
export async function noteDatabase({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  try {
    const { rows } = await sql<{ before: string | null; isOther: boolean }>`
      UPDATE database_copies c SET database_id = n.id, seen_at = now(),
        lost_from = CASE WHEN o.database_id <> n.id THEN least(c.lost_from, o.seen_at) ELSE c.lost_from END,
        lost_until = CASE WHEN o.database_id <> n.id THEN now() ELSE c.lost_until END
      FROM (SELECT ${IDENTITY} AS id) n, database_copies o
      WHERE c.database_id IS DISTINCT FROM n.id OR c.seen_at < now() - make_interval(secs => ${SEEN_SECONDS})
      RETURNING coalesce(o.database_id <> n.id, false) AS "isOther"`.execute(db);
    if (rows[0]?.isOther) log.warn('this database is a restored copy, or has failed over: payouts may be paid already');
  } catch (error) {
    // Not every provider reveals the identity of a database; the owner then confirms what was paid earlier.
    log.warn({ err: error }, 'the identity of the database cannot be read');
  }
}

/** Stores the lost span for `npm run restore`, which knows the moment. */
export async function noteLost(db: Db, moment: Date): Promise<void> {
  await sql`UPDATE database_copies SET lost_from = least(lost_from, ${moment}::timestamptz), lost_until = now()`.execute(
    db,
  );
}

export interface LostSpan {
  fromMs: number;
  untilMs: number;
  hasCompared: boolean;
}

/** Null for a database that was never restored, as far as is known. */
export async function lostSpan(db: Db): Promise<LostSpan | null> {
  const row = await db
    .selectFrom('databaseCopies')
    .select(['lostFrom', 'lostUntil', 'comparedUntil'])
    .executeTakeFirst();
  const { lostFrom, lostUntil, comparedUntil = null } = row ?? {};
  if (!lostFrom || !lostUntil) return null;
  const hasCompared = comparedUntil !== null && comparedUntil >= lostUntil;
  return { fromMs: lostFrom.getTime(), untilMs: lostUntil.getTime(), hasCompared };
}

export async function noteCompared(db: Db): Promise<void> {
  await sql`UPDATE database_copies SET compared_until = lost_until`.execute(db);
}
