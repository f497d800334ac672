import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** Columns with a value that holds the text, and how many rows have one: 'payments.paid_by': 2. Bytes are compared as hexadecimal digits. */
export async function columnsWith(db: Db, text: string): Promise<Record<string, number>> {
  const columns = await sql<{ table: string; column: string }>`
    SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
    JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = 'public'
    WHERE c.table_schema = 'public' ORDER BY 1, 2`.execute(db);
  if (columns.rows.length < 300) throw new Error(`only ${columns.rows.length} columns were found`);
  const found: Record<string, number> = {};
  for (const { table, column } of columns.rows) {
    const { rows } = await sql<{ hits: number }>`
      SELECT count(*)::int AS hits FROM ${sql.table(table)} WHERE ${sql.ref(column)}::text ILIKE ${`%${text}%`}`.execute(
      db,
    );
    if (rows[0]?.hits) found[`${table}.${column}`] = rows[0].hits;
  }
  return found;
}
