import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** The totals have everything that was given before `countedUntil`. */
export interface Cursor {
  countedUntil: string;
  holdersUntil: string;
}

const NEVER = '-infinity';

export async function readCursor(db: Db): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    SELECT counted_until::text AS "countedUntil", holders_until::text AS "holdersUntil" FROM totals_state`.execute(db);
  return rows[0] ?? { countedUntil: NEVER, holdersUntil: NEVER };
}

export async function ensureState(db: Db): Promise<void> {
  await sql`INSERT INTO totals_state DEFAULT VALUES ON CONFLICT DO NOTHING`.execute(db);
}
