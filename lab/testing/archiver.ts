import { sql } from 'kysely';
import { openDatabase } from '#db/client.ts';
import { searchedFirst } from './searched-first.ts';

/**
 * A database with an archived log, which would need a restart of PostgreSQL: simulated by a schema that is searched
 * first.
 */
export async function openArchived(databaseUrl: string) {
  const url = searchedFirst(databaseUrl, 'archived');
  const { db, close } = openDatabase(url, { maxConnections: 2 });
  await sql`CREATE SCHEMA archived
    CREATE TABLE pg_stat_archiver (last_archived_time timestamptz, last_failed_time timestamptz)`.execute(db);
  await sql`CREATE FUNCTION archived.current_setting(text) RETURNS text LANGUAGE sql
    AS $$ SELECT CASE $1 WHEN 'archive_mode' THEN 'on' ELSE pg_catalog.current_setting($1) END $$`.execute(db);
  return {
    url,
    db,
    async say({ archivedAt, failedAt }: { archivedAt: Date | null; failedAt: Date | null }) {
      await sql`TRUNCATE archived.pg_stat_archiver`.execute(db);
      await sql`INSERT INTO archived.pg_stat_archiver VALUES (${archivedAt}, ${failedAt})`.execute(db);
    },
    async close() {
      await sql`DROP SCHEMA archived CASCADE`.execute(db);
      await close();
    },
  };
}
