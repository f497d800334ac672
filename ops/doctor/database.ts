import { sql } from 'kysely';
import pg from 'pg';
import { databaseRemedy } from '#db/database-url.ts';
import { failure, reasonOf } from './check.ts';
import type { Subject } from './subject.ts';

interface Answer {
  version: string;
  encoding: string;
  pid: number;
  has_schema: boolean;
}

/** Connects without the start-up settings of our pools, which a pooler rejects. */
export async function askDatabase({ config }: Pick<Subject, 'config'>): Promise<string> {
  const client = new pg.Client({ connectionString: config.databaseDirectUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Answer>(`SELECT current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, pg_backend_pid() AS pid,
      to_regclass('schema_migrations') IS NOT NULL AS has_schema`);
    const { version = '', encoding, pid, has_schema: hasSchema } = rows[0] ?? {};
    // PostgreSQL sends the id of its process at the start; a pooler sends another number.
    if ((client as unknown as { processID: number | null }).processID !== pid)
      throw failure(
        'change notifications, migrations and the SQL console would go through a pooler',
        'Set DATABASE_DIRECT_URL to PostgreSQL itself, with the same user and database',
      );
    if (encoding !== 'UTF8')
      throw failure(
        `it stores text as ${encoding}: names and reviews in most languages are rejected or spoiled`,
        "Before it holds anything: drop it, then CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0",
      );
    if (hasSchema !== true)
      throw failure('it is empty', 'Run `npm run migrate`, or start the server, which does the same');
    return `PostgreSQL ${version}`;
  } catch (error) {
    const remedy = databaseRemedy(error);
    throw remedy === null ? error : failure(reasonOf(error), remedy);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function askDurability({ db }: Pick<Subject, 'db'>): Promise<string> {
  const { rows: off } = await sql<{ name: string; source: string }>`SELECT name, source FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`.execute(db);
  if (off.length > 0)
    throw failure(
      `off: ${off.map(({ name, source }) => `${name} (by ${source})`).join(', ')}. A power cut loses votes and payments that were confirmed`,
      'Switch them on where they were switched off (ALTER ROLE or ALTER DATABASE … RESET, ALTER SYSTEM SET … = on, the options of the URL or of the start), then restart the server',
    );
  return 'what is confirmed survives a power cut';
}
