import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** From `since` to before `until`. Times as PostgreSQL writes them, to the microsecond. */
export interface Span {
  since: string;
  until: string;
}

const FIRST_MS = 60_000;
/** A look that finds this many slices is repeated with a shorter span, instead of sorting all it finds. */
const MOST_SLICES = 4;

interface Look {
  end: string;
  isLast: boolean;
  opinions: number;
}

/** The opinions of the first `ms` of the span, counted up to `most`. */
async function look(trx: Db, { since, until }: Span, ms: number, most: number): Promise<Look> {
  const { rows } = await sql<Look>`
    WITH ends AS (SELECT least(${since}::timestamptz + ${ms} * interval '1 millisecond', ${until}::timestamptz) AS at)
    SELECT at::text AS end, at >= ${until}::timestamptz AS "isLast", (
      SELECT count(*) FROM (
        SELECT FROM opinions WHERE said_at >= ${since}::timestamptz AND said_at < least(${since}::timestamptz + ${ms} * interval '1 millisecond', ${until}::timestamptz)
        LIMIT ${most}
      ) o) AS opinions FROM ends`.execute(trx);
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
    // Many come at once after few: a short slice ends before them.
    else if (opinions <= size / 2 && ms * 8 < tooLongMs) ms *= 8;
    else if (opinions <= size) return end;
    else {
      // oxlint-disable-next-line no-await-in-loop -- the last one
      const { rows } = await sql<{ until: string }>`
        SELECT greatest(said_at, ${since}::timestamptz + interval '1 microsecond')::text AS until FROM opinions
        WHERE said_at >= ${since}::timestamptz AND said_at < ${end}::timestamptz ORDER BY said_at OFFSET ${size} LIMIT 1`.execute(
        trx,
      );
      return rows[0]?.until ?? end;
    }
  }
}
