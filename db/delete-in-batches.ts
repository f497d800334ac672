import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';
import { eachRow, inSavepoint } from './each-row.ts';
import { longTransaction } from './long-transaction.ts';
import { keptMs } from './tables.ts';

const BATCH = 1_000;
/** Time limit for one table in a run. A limit in rows could fall behind; without any, a shutdown would wait. */
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

/** Runs in one snapshot, in which a ctid keeps naming the same row. */
const deleteOthers = (db: Db, { table, find }: Deletion): Promise<number> =>
  longTransaction(
    db,
    async (trx) => {
      const { rows } = await sql<{ ctid: string }>`SELECT unnest(ARRAY(${find(sql.lit(BATCH))}))::text AS ctid`.execute(
        trx,
      );
      return eachRow(db, { of: `row of ${table}`, idOf: ({ ctid }) => ctid, slice: BATCH }, rows, (some) =>
        inSavepoint(trx, () =>
          sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY (${some.map(({ ctid }) => ctid)}::tid[])`.execute(trx),
        ),
      );
    },
    { isSnapshot: true },
  );

export async function deleteInBatches(db: Db, { table, find }: Deletion): Promise<number> {
  let rows = 0;
  const endMs = performance.now() + MOST_MS;
  while (performance.now() < endMs) {
    const batch = sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(${find(sql.lit(BATCH))}))`;
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other
    const deleted = await batch.execute(db).then(
      ({ numAffectedRows }) => Number(numAffectedRows ?? 0),
      () => deleteOthers(db, { table, find }),
    );
    rows += deleted;
    if (deleted < BATCH) break;
  }
  return rows;
}
