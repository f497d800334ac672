import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

export interface Backup {
  id: string;
  kind: 'dump' | 'physical';
  startedAt: Date;
  finishedAt: Date;
  bytes: number | null;
  tables: number | null;
  checksum: string | null;
}

export async function lastBackup(db: Db): Promise<Backup | null> {
  const row = await db
    .selectFrom('backups')
    .select(['id', 'kind', 'startedAt', 'finishedAt', 'bytes', 'tables', 'checksum'])
    .where('error', 'is', null)
    .where('finishedAt', 'is not', null)
    .orderBy('finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.finishedAt) return null;
  return { ...row, kind: row.kind === 'physical' ? 'physical' : 'dump', finishedAt: row.finishedAt };
}

/** Whether PostgreSQL fails to archive its log; null if it archives none. */
export async function isArchiveFailing(db: Db): Promise<boolean | null> {
  const { rows } = await sql<{ isFailing: boolean | null }>`
    SELECT CASE WHEN current_setting('archive_mode') <> 'off'
      THEN coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) END AS "isFailing"
    FROM pg_stat_archiver`.execute(db);
  return rows[0]?.isFailing ?? null;
}

export interface Restore {
  id: number;
  moment: Date;
  /** The public record is not published further until the operator has decided how to continue. */
  recordWaits: boolean;
}

export async function lastRestore(db: Db): Promise<Restore | null> {
  const row = await db.selectFrom('restores').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row ?? null;
}
