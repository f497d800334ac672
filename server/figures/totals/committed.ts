import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/**
 * The moment up to which all votes are committed, by the open transactions. A vote's time is the start of its own
 * statement, and by then its transaction has written or is younger than the statement timeout: long reads, such as a
 * backup, delay nothing. No open or future transaction can undo such a vote.
 */
export async function committedUntil(db: Db, undoWindowMs: number): Promise<string> {
  const { rows } = await sql<{ until: string }>`
    SELECT (least(now(), min(xact_start)) - ${undoWindowMs} * interval '1 millisecond')::text AS until FROM pg_stat_activity
    WHERE datname = current_database() AND (backend_xid IS NOT NULL OR xact_start > now() - interval '1 minute')`.execute(
    db,
  );
  return rows[0]?.until ?? '-infinity';
}
