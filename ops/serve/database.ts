import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
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
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    const version = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (version < OLDEST_VERSION)
      throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_VERSION} or newer is needed`);
  } catch (error) {
    throw new Error(
      `The database "${database}" on ${host} (${variable}) cannot be used: ${messageOf(error)}. Correct ${variable}, or start that database.`,
      {
        cause: error,
      },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
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
  try {
    const { host, pathname } = new URL(url);
    return { host: host || 'this machine', database: pathname.slice(1) };
  } catch (error) {
    throw new Error(`${variable} is not a URL like postgres://user:password@host:5432/snapswipe: correct it.`, {
      cause: error,
    });
  }
}
