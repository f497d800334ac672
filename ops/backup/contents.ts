import type { ClientBase } from 'pg';
import pg from 'pg';
import { directConnection } from '#db/session-settings.ts';

interface TableContents {
  rows: number;
  sum: string;
}

export type Contents = Record<string, TableContents>;

const TEXT_SETTINGS = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0`;

/** Tables whose rows no backup contains: the salt of a day would tie the hashes of networks to addresses. */
export const LEFT_OUT = ['network_salts'];

const tablesOf = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
};

/** Contents as the open transaction sees them, without the rows that no backup contains. */
export async function readContents(client: ClientBase): Promise<Contents> {
  await client.query(TEXT_SETTINGS);
  const contents: Contents = {};
  for (const table of await tablesOf(client)) {
    if (LEFT_OUT.includes(table)) continue;
    const { rows } = await client.query<TableContents>(
      `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS sum
       FROM ${pg.escapeIdentifier(table)} t`,
    );
    contents[table] = rows[0] ?? { rows: 0, sum: '0' };
  }
  return contents;
}

export async function readDatabaseContents(url: string): Promise<Contents> {
  const client = new pg.Client(directConnection(url));
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await readContents(client);
  } finally {
    await client.end();
  }
}

export function compareContents(expected: Contents, found: Contents): string[] {
  const tables = [...new Set([...Object.keys(expected), ...Object.keys(found)])].toSorted();
  return tables.flatMap((table) => {
    const [one, other] = [expected[table], found[table]];
    if (one && other && one.rows === other.rows && one.sum === other.sum) return [];
    if (!one || !other) return [`${table}: only ${one ? 'in the backup' : 'in the database'}`];
    return one.rows === other.rows
      ? [`${table}: ${one.rows} rows, not the same`]
      : [`${table}: ${one.rows} rows in the backup, ${other.rows} in the database`];
  });
}
