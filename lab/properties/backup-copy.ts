import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { behindTheTriggers, empty } from '#lab/testing/builders.ts';

/** Tables with their columns that can be written. */
async function tablesOf(db: Db): Promise<Array<{ name: string; columns: string }>> {
  const { rows } = await sql<{ name: string; columns: string }>`
    SELECT quote_ident(c.relname) AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('schema_migrations', 'config')
    GROUP BY c.relname`.execute(db);
  return rows;
}

/** Copies every table into a schema of this name, in place of an earlier copy. */
export async function copyTables(db: Db, schema: string): Promise<void> {
  const tables = await tablesOf(db);
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql.raw(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`).execute(trx);
      const copies = tables.map(
        ({ name, columns }) => `CREATE TABLE ${schema}.${name} AS SELECT ${columns} FROM public.${name}`,
      );
      await sql.raw(copies.join('; ')).execute(trx);
    });
}

/** Restores every table from such a copy. */
export async function putBack(db: Db, schema: string): Promise<void> {
  const tables = await tablesOf(db);
  await empty(db);
  await behindTheTriggers(db, async (trx) => {
    const copies = tables.map(
      ({ name, columns }) =>
        `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${schema}.${name} ON CONFLICT DO NOTHING`,
    );
    await sql.raw(copies.join('; ')).execute(trx);
  });
}
