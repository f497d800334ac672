import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';

interface Index {
  table: string;
  /** The columns and expressions of its key. */
  key: string;
  /** The condition of a partial index. */
  condition: string | null;
}

/** Usable share of a row's page, of an index entry's page, and of each 2 kB that are stored outside of the row. */
const ROW_BYTES = 4;
const TOASTED = { from: 2_000, factor: 1.03 };

/**
 * Figures that jobs write up to some minutes later: a row per project, period, day, kind of vote or run, however often a wallet writes. They
 * would count for whatever is measured at that moment.
 */
const FIGURES = new Set([
  'totals',
  'recounted_totals',
  'verified_stats',
  'vote_state_days',
  'project_days',
  'project_trends',
  'opinion_days',
  'now_days',
  'invariant_runs',
  'job_runs',
]);

async function readIndexes(db: Db): Promise<Index[]> {
  const { rows } = await sql<Index>`
    SELECT t.relname AS table, pg_get_expr(x.indpred, x.indrelid) AS condition,
      (SELECT string_agg(pg_get_indexdef(x.indexrelid, k, false), ', ' ORDER BY k) FROM generate_series(1, x.indnkeyatts) k) AS key
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public' AND t.relkind = 'r'`.execute(db);
  return rows;
}

/** Total size of a table, in one pass: its rows, and the key of each entry of its indexes. */
function bytesOf(table: string, indexes: Index[]): RawBuilder<unknown> {
  const { from, factor } = TOASTED;
  const size = sql`pg_column_size(t.*)`;
  const row = sql`sum(${sql.lit(ROW_BYTES)} + ${size} * CASE WHEN ${size} > ${sql.lit(from)} THEN ${sql.lit(factor)} ELSE 1 END)`;
  const entries = indexes.map(
    ({ key, condition }) =>
      sql`sum(pg_column_size(ROW(${sql.raw(key)}))) FILTER (WHERE ${sql.raw(condition ?? 'true')})`,
  );
  const sums = [row, ...entries].map((sum) => sql`coalesce(${sum}, 0)`);
  return sql`SELECT ${sql.join(sums, sql` + `)} AS bytes FROM ${sql.table(table)} t`;
}

/**
 * Size of all rows but `FIGURES`, with their index entries, to the byte: as in a database without empty space, so that even a single
 * row is visible. An entry counts as a row of its key, which is more than its real size.
 */
export async function storedBytes(db: Db): Promise<number> {
  const indexes = await readIndexes(db);
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(db);
  const all = tables
    .filter(({ name }) => !FIGURES.has(name))
    .map(({ name }) =>
      bytesOf(
        name,
        indexes.filter(({ table }) => table === name),
      ),
    );
  const { rows } = await sql<{ bytes: number }>`
    SELECT sum(bytes)::float8 AS bytes FROM (${sql.join(all, sql` UNION ALL `)}) s`.execute(db);
  return rows[0]?.bytes ?? 0;
}
