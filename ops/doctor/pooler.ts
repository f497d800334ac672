import type pg from 'pg';
import { readSessionSettings } from '#db/session-settings.ts';
import type { Config } from '#server/kit/config.ts';
import { failure, warning } from './check.ts';
import { primaryOf, readRow, type Target, withClient } from './database.ts';

export type PoolMode = 'none' | 'session' | 'transaction';

/** The process id that a client receives at the start: a pooler sends none of PostgreSQL's. */
const toldPid = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID;
const servingPid = async (client: pg.Client): Promise<number> =>
  (await readRow<{ pid: number }>(client, 'SELECT pg_backend_pid() AS pid')).pid;

/** Other clients use the pooler, too, and may take the connection. */
const ATTEMPTS = 5;

/** Between a URL and PostgreSQL: nothing, or a pooler, which lends its connections for sessions or transactions. */
export async function poolModeOf(target: Target): Promise<PoolMode> {
  return withClient(target, async (first) => {
    if (toldPid(first) === (await servingPid(first))) return 'none';
    return withClient(target, async (second) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1)
        if (await sharesWith(first, second)) return 'transaction';
      return 'session';
    });
  });
}

/**
 * In transaction mode the second takes the connection that the first has just returned, and keeps it until its
 * transaction ends.
 */
async function sharesWith(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await servingPid(first);
  await second.query('BEGIN');
  const taken = await servingPid(second);
  const after = await servingPid(first);
  await second.query('ROLLBACK');
  return taken === before || after !== before;
}

const urlOf = ({ databaseUrl }: Config): Target => ({ setting: 'DATABASE_URL', url: databaseUrl });

const DIRECT = 'Set DATABASE_DIRECT_URL to PostgreSQL itself, with the same user and database';

/** Change notifications, migrations and the SQL console need a connection that bypasses a pooler in transaction mode. */
export async function checkPooler(config: Config): Promise<string> {
  const [mode, direct] = await Promise.all([poolModeOf(urlOf(config)), poolModeOf(primaryOf(config))]);
  if (mode === 'transaction' && !config.isPooled)
    throw failure(
      'DATABASE_URL leads to a pooler in transaction mode, and nothing else is set: servers would not learn of changes',
      DIRECT,
    );
  if (config.isPooled && direct === 'transaction')
    throw failure('DATABASE_DIRECT_URL leads to a pooler in transaction mode, too', DIRECT);
  if (mode === 'session')
    throw warning(
      'DATABASE_URL leads to a pooler in session mode, which saves no connections',
      'In pgbouncer.ini: pool_mode = transaction; and set DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  if (config.isPooled && !(await isSameDatabase(config)))
    throw failure('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases', DIRECT);
  if (config.isPooled) await checkSettings(config);
  return mode === 'none'
    ? 'none: connections go to PostgreSQL itself'
    : 'transaction mode, with a direct connection beside it';
}

const WHICH = `SELECT current_database() || ' ' || oid || ' ' || coalesce((SELECT min(oid)::text FROM pg_class WHERE relname = 'schema_migrations'), '-')
  || ' ' || pg_postmaster_start_time() AS which FROM pg_database WHERE datname = current_database()`;

async function isSameDatabase(config: Config): Promise<boolean> {
  const which = (target: Target) => withClient(target, (client) => readRow<{ which: string }>(client, WHICH));
  const [one, other] = await Promise.all([which(urlOf(config)), which(primaryOf(config))]);
  return one.which === other.which;
}

/** They cannot be start-up parameters there, so `npm run serve` sets them on the login. */
async function checkSettings(config: Config): Promise<void> {
  const remedy = "Run `npm run migrate`, which gives them to the login, then `RECONNECT` in PgBouncer's console";
  const { differing, hasTimeLimit } = await withClient(urlOf(config), readSessionSettings);
  const [first] = differing;
  if (first !== undefined)
    throw failure(
      `statements through the pooler find ${first.name} as ${first.value}, and need ${first.wanted}`,
      remedy,
    );
  if (!hasTimeLimit) throw warning('statements through the pooler have no time limit', remedy);
}
