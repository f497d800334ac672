import { type RawBuilder, sql } from 'kysely';
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

const isAt = ({ countedUntil, holdersUntil }: Cursor): RawBuilder<boolean> => sql`
  coalesce((SELECT (s.counted_until, s.holders_until) = (${countedUntil}::timestamptz, ${holdersUntil}::timestamptz)
    FROM totals_state s), ${countedUntil} = ${NEVER})`;

const TRIES = 20;

/**
 * Reads the totals and what is newer in one snapshot. The cursor is a parameter, because a statement that reads it itself is planned without its
 * value. `read` returns undefined when the totals have moved, and is called again with the next cursor.
 */
export async function atCursor<T>(
  db: Db,
  read: (cursor: Cursor, isAtCursor: RawBuilder<boolean>) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    const cursor = await readCursor(db);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const found = await read(cursor, isAt(cursor));
    if (found !== undefined) return found;
  }
  throw new Error('the totals moved at each try to read them');
}

export async function ensureState(db: Db): Promise<void> {
  await sql`INSERT INTO totals_state DEFAULT VALUES ON CONFLICT DO NOTHING`.execute(db);
}
