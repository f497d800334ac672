/**
 * Migrates a database in one transaction behind the migration lock: pending files of `db/migrations/`, then every function of `db/functions/`
 * whose text, or that of a function it names, has changed. Functions without a file are dropped; a newer database is left unchanged.
 *
 * Rejected: separate transactions (a failed start would leave new tables with old functions), and creating every function at each start (indexes
 * depend on them, and hot tables would be locked).
 */
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { type FunctionFile, readFunctions, readMigrations, type SchemaFile } from './schema-files.ts';
import { databaseRemedy } from './database-url.ts';
import { GUARDED } from './tables.ts';
import { directConnection, setNewerSettings } from './session-settings.ts';

/** Deadlock (40P01): a running server's transactions may cross the locks of triggers that are replaced. */
const MAX_ATTEMPTS = 5;

type Log = (line: string) => void;

async function apply(client: pg.Client, file: SchemaFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} failed: ${message}`, { cause: error });
  }
  await client.query(
    `INSERT INTO schema_migrations (name, hash) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied_at = now()`,
    [file.name, file.hash],
  );
}

async function dropTriggers(client: pg.Client, functionName: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS statement FROM pg_trigger
     WHERE tgfoid = to_regproc($1) AND NOT tgisinternal ORDER BY tgrelid, tgname`,
    [functionName],
  );
  for (const { statement } of rows) await client.query(statement);
}

async function applyFunction(client: pg.Client, file: FunctionFile): Promise<void> {
  await dropTriggers(client, file.functionName);
  await apply(client, file);
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_proc WHERE proname = $1 AND pronamespace = 'public'::regnamespace`,
    [file.functionName],
  );
  if (rows[0]?.count !== 1)
    throw new Error(
      `${file.name} has to define ${file.functionName} and nothing else; one with other arguments is dropped by a migration`,
    );
}

async function dropFunction(client: pg.Client, name: string): Promise<void> {
  const functionName = name.slice('functions/'.length, -'.sql'.length);
  await dropTriggers(client, functionName);
  await client.query(`DROP FUNCTION IF EXISTS ${pg.escapeIdentifier(functionName)}`);
  await client.query('DELETE FROM schema_migrations WHERE name = $1', [name]);
}

/** Adds the triggers of declared tables, so that a migration that adds a table need not name them. */
async function guardTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('CREATE OR REPLACE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty(%L)', name, place, late)
       AS statement
     FROM (SELECT t || '_keep_deleted_empty' AS name, to_regclass(t) AS place, late FROM unnest($1::text[], $2::text[]) AS g (t, late)) AS guard
     WHERE place IS NOT NULL AND NOT EXISTS (SELECT FROM pg_trigger
       WHERE tgrelid = place AND tgname = name AND pg_get_triggerdef(oid) LIKE '%(' || quote_literal(late) || ')')`,
    [GUARDED.map(({ name }) => name), GUARDED.map(({ late }) => late)],
  );
  for (const { statement } of rows) await client.query(statement);
}

/** Reason why this version cannot use a database with these migrations (hashes by name); null if it can. */
export function otherSchema(applied: ReadonlyMap<string, string>, migrations: readonly SchemaFile[]): string | null {
  const changed = migrations.find(({ name, hash }) => applied.has(name) && applied.get(name) !== hash);
  if (changed === undefined) return null;
  return `the schema is that of another version of Snapswipe, which this one cannot upgrade: its ${changed.name} differs. Nothing was changed; run the version that made it`;
}

const CREATE_MIGRATIONS =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())';

async function createMigrations(client: pg.Client): Promise<void> {
  await client.query(CREATE_MIGRATIONS).catch((error: unknown) => {
    const remedy = databaseRemedy(error);
    throw remedy === null
      ? error
      : new Error(`${error instanceof Error ? error.message : ''}. ${remedy}`, { cause: error });
  });
}

async function applyPending(client: pg.Client, log: Log, root?: URL): Promise<void> {
  await createMigrations(client);
  const { rows } = await client.query<{ name: string; hash: string }>(
    'SELECT name, hash FROM schema_migrations ORDER BY name',
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const [migrations, functions] = await Promise.all([readMigrations(root), readFunctions(root)]);
  const problem = otherSchema(applied, migrations);
  if (problem !== null) throw new Error(`${problem}. Use an empty database (of a demo, delete data/)`);
  const known = new Set([...migrations, ...functions].map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  const newer = unknown.find((name) => !name.startsWith('functions/'));
  if (newer !== undefined) return log(`the database is that of a newer version, which has ${newer}: nothing to apply`);
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    await apply(client, migration);
    log(`applied ${migration.name}`);
  }
  const rewritten = functions.filter(({ name, hash }) => applied.get(name) !== hash);
  for (const file of rewritten) await applyFunction(client, file);
  for (const name of unknown) await dropFunction(client, name);
  await guardTables(client);
  const names = [...rewritten.map(({ functionName }) => functionName), ...unknown.map((name) => `no ${name}`)];
  if (names.length > 0) log(`applied functions: ${names.join(', ')}`);
}

const isDeadlock = (error: unknown): boolean => (error as { code?: string }).code === '40P01';

async function applyInOneTransaction(client: pg.Client, log: Log, root?: URL): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const lines: string[] = [];
    await client.query('BEGIN');
    try {
      await applyPending(client, (line) => lines.push(line), root);
      await client.query('COMMIT');
      for (const line of lines) log(line);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      if (!isDeadlock(cause) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

export async function migrate(databaseUrl: string, log: Log = () => {}, root?: URL): Promise<void> {
  const client = new pg.Client({
    ...directConnection(databaseUrl),
    connectionTimeoutMillis: 10_000,
    application_name: 'snapswipe-migrate',
  });
  await client.connect();
  try {
    // Waiting for another server, or building an index, has no time limit.
    await client.query('SET statement_timeout = 0');
    await setNewerSettings(client);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrate]);
    await applyInOneTransaction(client, log, root);
  } finally {
    await client.end();
  }
}
