import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { opinionsGiven, type Span, within } from '#server/books/opinions.ts';

/** Makes statements on a slice look rows up by key: otherwise each would build a hash of all votes or voters. */
export function lookUpOneByOne(trx: Db, isOn = true): Promise<unknown> {
  const joins = isOn ? 'off' : 'on';
  return sql`SELECT set_config('enable_hashjoin', ${joins}, true), set_config('enable_mergejoin', ${joins}, true)`.execute(
    trx,
  );
}

const FIRST_MS = 60_000;
const MOST_SLICES = 4;

interface Look {
  end: string;
  isLast: boolean;
  opinions: number;
}

async function look(trx: Db, { since, until }: Span, ms: number, most: number): Promise<Look> {
  const end = sql`least(${since}::timestamptz + ${ms} * interval '1 millisecond', ${until}::timestamptz)`;
  const given = opinionsGiven((at) => sql`${at} >= ${since}::timestamptz AND ${at} < ${end}`);
  const { rows } = await sql<Look>`
    SELECT ${end}::text AS end, ${end} >= ${until}::timestamptz AS "isLast",
      (SELECT count(*) FROM (SELECT FROM ${given} g LIMIT ${most}) o) AS opinions`.execute(trx);
  return rows[0] ?? { end: until, isLast: true, opinions: 0 };
}

/** The end of a slice of about `size` opinions, or of one moment with more. */
export async function endOfSlice(trx: Db, span: Span, size: number): Promise<string> {
  const { since } = span;
  let tooLongMs = Infinity;
  for (let ms = FIRST_MS; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each look depends on the one before
    const { end, isLast, opinions } = await look(trx, span, ms, MOST_SLICES * size + 1);
    if (opinions > MOST_SLICES * size && ms > 1) {
      tooLongMs = ms;
      ms /= 8;
    } else if (opinions <= size && isLast) return end;
    // Many opinions may follow a few, so the slice grows step by step.
    else if (opinions <= size / 2 && ms * 8 < tooLongMs) ms *= 8;
    else if (opinions <= size) return end;
    else {
      // oxlint-disable-next-line no-await-in-loop -- the last one
      const { rows } = await sql<{ until: string }>`
        SELECT greatest(said_at, ${since}::timestamptz + interval '1 microsecond')::text AS until
        FROM ${opinionsGiven(within({ since, until: end }))} o ORDER BY said_at OFFSET ${size} LIMIT 1`.execute(trx);
      return rows[0]?.until ?? end;
    }
  }
}
