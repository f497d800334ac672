import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

interface Migration {
  name: string;
  sql: string;
  hash: string;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyPending(client: pg.Client, log: (line: string) => void): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const done = await client.query<{ name: string; hash: string }>('SELECT name, hash FROM schema_migrations');
  const applied = new Map(done.rows.map((row) => [row.name, row.hash]));
  for (const migration of await readMigrations()) {
    const known = applied.get(migration.name);
    if (known === migration.hash) continue;
    if (known)
      throw new Error(`migration ${migration.name} was changed after it had been applied; write a new one instead`);
    await client.query('BEGIN');
    try {
      await client.query(migration.sql);
      await client.query('INSERT INTO schema_migrations (name, hash) VALUES ($1, $2)', [
        migration.name,
        migration.hash,
      ]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    log(`applied ${migration.name}`);
  }
}

/**
 * Brings the database at `databaseUrl` to the newest schema. Several processes may call it at once: a session lock lets one
 * work and the others wait. Needs a direct connection (not a transaction-mode pooler). Throws when a migration fails; that
 * migration is then rolled back whole.
 */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: 'snapswipe-migrate',
  });
  await client.connect();
  try {
    // Waiting for another server's migrations, or building an index, may take as long as it takes.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrate]);
    await applyPending(client, log);
  } finally {
    await client.end();
  }
}
