import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { databaseRemedy, databaseUrlProblem } from '#db/database-url.ts';
import { CHANGED_COLLATION, COLLATION_REMEDY } from '#db/collation.ts';
import { messageOf, ROOT, step } from '../process/report.ts';

const OLDEST_VERSION = 15;

interface TaskDatabase {
  url: string;
  exited: Promise<string>;
}

export async function openTaskDatabase(lifecycle: Lifecycle): Promise<TaskDatabase> {
  // Tasks change the schema and load data, so they do not use a pooler.
  const given = process.env.DATABASE_URL && (process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL);
  if (given) {
    await step('Database (DATABASE_URL) answers', () => checkDatabase(given));
    return { url: given, exited: new Promise(() => undefined) };
  }
  const embedded = await step('Database (embedded PostgreSQL, data/postgres)', () =>
    lifecycle.own(
      startEmbeddedPostgres({ dataDir: path.join(ROOT, 'data', 'postgres'), log: (line) => console.log(`  ${line}`) }),
    ),
  );
  return {
    url: embedded.url,
    exited: embedded.exited.then(() => 'The embedded PostgreSQL ended (see data/postgres/postgres.log)'),
  };
}

export async function checkDatabase(url: string, variable = 'DATABASE_URL'): Promise<void> {
  const { host, database } = describeUrl(url, variable);
  let client: Client | undefined;
  try {
    // Reads the files of certificates that the URL names.
    client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    await expectUsable(client);
  } catch (error) {
    const remedy = databaseRemedy(error, variable) ?? `Correct ${variable}, or start that database`;
    throw new Error(
      `The database "${database}" on ${host} (${variable}) cannot be used: ${messageOf(error)}. ${remedy}.`,
      { cause: error },
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function expectUsable(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; role: string; collation: string | null }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('session_replication_role') AS role,
      ${CHANGED_COLLATION} AS collation`,
  );
  const { version = 0, role, collation } = rows[0] ?? {};
  if (version < OLDEST_VERSION)
    throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_VERSION} or newer is needed`);
  if (role !== 'origin')
    throw new Error(
      `session_replication_role is ${role}, so that no trigger runs: ALTER ROLE … RESET session_replication_role`,
    );
  if (collation) console.log(`! ${collation}: ${COLLATION_REMEDY}`);
}

export async function countConnections(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS count",
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

function describeUrl(url: string, variable: string): { host: string; database: string } {
  const problem = databaseUrlProblem(url);
  if (problem !== null) throw new Error(`${variable}: ${problem}.`);
  const { host, pathname } = new URL(url);
  return { host, database: pathname.slice(1) };
}
