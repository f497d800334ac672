import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { searchedFirst } from '#lab/testing/searched-first.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A Monday, in the past, because PostgreSQL's own times, such as the start of transactions, have to be later. */
const START_MS = Date.UTC(2024, 0, 1);

/** A Sunday, when every vote of an attack is decided: the last ones are those of second wallets, a week after their sign-in on day 24. */
export const LAST_DAY = 69;
export const isSunday = (day: number): boolean => day % 7 === 6;

export const at = (day: number, hour = 0): Date => new Date(START_MS + day * DAY_MS + hour * HOUR_MS);
export const dayOf = (day: number): string => at(day).toISOString().slice(0, 10);

/**
 * Gives a database a simulated clock: every statement of the product that calls `now()` reads the simulated time,
 * because a schema before pg_catalog has functions of these names. Returns the URL for connections by it.
 */
export async function installClock(db: Db, databaseUrl: string): Promise<string> {
  await sql`CREATE SCHEMA simulation`.execute(db);
  await sql`CREATE TABLE simulation.clock (at timestamptz NOT NULL)`.execute(db);
  await sql`INSERT INTO simulation.clock VALUES (${at(0)})`.execute(db);
  for (const name of ['now', 'clock_timestamp', 'statement_timestamp'])
    await sql`CREATE FUNCTION simulation.${sql.ref(name)}() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM simulation.clock'`.execute(
      db,
    );
  return searchedFirst(databaseUrl, 'simulation');
}

export async function setClock(db: Db, time: Date): Promise<void> {
  await sql`UPDATE simulation.clock SET at = ${time}`.execute(db);
}
