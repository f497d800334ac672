import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { searchedFirst } from './searched-first.ts';

/**
 * Gives a database a clock that can be set: a schema before pg_catalog has functions of these names, and a view that
 * says when transactions began by the clock of that moment. The clock runs on. Returns the URL for connections by it.
 */
export async function installShiftedClock(db: Db, databaseUrl: string): Promise<string> {
  await sql`CREATE SCHEMA shifted`.execute(db);
  await sql`CREATE TABLE shifted.clock (real_at timestamptz PRIMARY KEY, by interval NOT NULL)`.execute(db);
  await sql`INSERT INTO shifted.clock VALUES ('-infinity', '0')`.execute(db);
  await sql`CREATE FUNCTION shifted.at(moment timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT moment + by FROM shifted.clock WHERE real_at <= moment ORDER BY real_at DESC LIMIT 1'`.execute(db);
  for (const name of ['now', 'clock_timestamp', 'statement_timestamp'])
    await sql`CREATE FUNCTION shifted.${sql.ref(name)}() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      ${sql.lit(`SELECT shifted.at(pg_catalog.${name}())`)}`.execute(db);
  await sql`DO $$ BEGIN
    EXECUTE 'CREATE VIEW shifted.pg_stat_activity AS SELECT shifted.at(xact_start) AS xact_start, ' || (
      SELECT string_agg(attname, ', ') FROM pg_attribute
      WHERE attrelid = 'pg_catalog.pg_stat_activity'::regclass AND attnum > 0 AND attname <> 'xact_start'
    ) || ' FROM pg_catalog.pg_stat_activity';
  END $$`.execute(db);
  return searchedFirst(databaseUrl, 'shifted');
}

/** Sets the database's clock ahead of the real one by this much. */
export const shiftClock = (db: Db, byMs: number): Promise<unknown> =>
  sql`INSERT INTO shifted.clock VALUES (pg_catalog.clock_timestamp(), ${byMs} * interval '1 millisecond')`.execute(db);
