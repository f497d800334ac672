import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { ARCHIVED } from '#db/tables.ts';

type Row = Record<string, unknown>;
type Sql = RawBuilder<unknown>;

export interface Part {
  name: string;
  about: string;
  columns: readonly string[];
  key: readonly string[];
  rows: (userId: number, after: readonly unknown[] | null) => RawBuilder<Row>;
}

const PAGE_ROWS = 1_000;

const tuple = (values: readonly unknown[]): Sql => sql`(${sql.join(values)})`;
const rawTuple = (texts: readonly string[]): Sql => tuple(texts.map((text) => sql.raw(text)));
/** 'paid_by', 't.paid_by' and 'digest AS paid_by' are the column paidBy. */
const nameOf = (column: string): string =>
  (/\w+$/.exec(column)?.[0] ?? '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const PARTS: readonly Part[] = ARCHIVED.map(
  ({ name, about, table, columns, keyColumns = 1, of = 't.user_id = reader', joins = '' }) => {
    const keys = columns.slice(0, keyColumns).map((column) => column.replace(/ AS \w+$/, ''));
    const order = sql.join(keys.map((key) => sql.raw(key)));
    return {
      name,
      about,
      columns: columns.map(nameOf),
      key: columns.slice(0, keyColumns).map(nameOf),
      // Joined tables are read for the rows of the page only.
      rows: (userId, after) => {
        const me = sql`(SELECT ${userId}::bigint AS reader) me`;
        const isAfter = after === null ? sql`true` : sql`${rawTuple(keys)} > ${tuple(after)}`;
        return sql<Row>`WITH t AS MATERIALIZED (
            SELECT t.* FROM ${sql.table(table)} t, ${me} WHERE (${sql.raw(of)}) AND ${isAfter} ORDER BY ${order} LIMIT ${PAGE_ROWS}
          ) SELECT ${sql.raw(columns.join(', '))} FROM t CROSS JOIN ${me} ${sql.raw(joins)} ORDER BY ${order}`;
      },
    };
  },
);

/** Reads a part in pages by its key: no connection is held in between. */
export async function* readPart(db: Db, userId: number, part: Part): AsyncGenerator<Row[]> {
  let after: readonly unknown[] | null = null;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const { rows }: { rows: Row[] } = await part.rows(userId, after).execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || !last) return;
    after = part.key.map((name) => last[name]);
  }
}
