import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';
import { keptMs } from '#shared/retention.ts';

const BATCH = 1_000;
/** Time for one table in one run. A bound on rows could fall behind; without any, a shutdown would wait. */
const MOST_MS = 2 * 60_000;

export const keptSince = (kept: Parameters<typeof keptMs>[0]): RawBuilder<Date> =>
  sql<Date>`now() - ${keptMs(kept)} * interval '1 millisecond'`;

export const keptSinceDay = (kept: Parameters<typeof keptMs>[0]): RawBuilder<Date> =>
  sql<Date>`((now() AT TIME ZONE 'UTC')::date - ${Math.ceil(keptMs(kept) / 86_400_000)}::int)`;

export interface Deletion {
  table: string;
  /** The ctid of at most `limit` rows, found without reading the whole table. */
  find: (limit: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export async function deleteInBatches(db: Db, { table, find }: Deletion): Promise<number> {
  let rows = 0;
  const endMs = performance.now() + MOST_MS;
  while (performance.now() < endMs) {
    const batch = sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(${find(sql.lit(BATCH))}))`;
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other
    const { numAffectedRows } = await batch.execute(db);
    rows += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < BATCH) break;
  }
  return rows;
}
