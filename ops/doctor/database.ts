import pg from 'pg';
import { IDENTITY } from '#db/replica.ts';
import { readFunctions, readMigrations } from '#db/schema-files.ts';
import type { Config } from '#server/kit/config.ts';
import { Blocking, failure, reasonOf, warning } from './check.ts';

const OLDEST_VERSION = 15;
const CONNECT_TIMEOUT_MS = 10_000;
const CONSOLE_ROLE = 'snapswipe_console';
const RESERVED_PER_PROCESS = 3;

export interface Target {
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL' | 'CONSOLE_DATABASE_URL';
  url: string;
}

export const primaryOf = ({ databaseDirectUrl, isPooled }: Config): Target => ({
  setting: isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
  url: databaseDirectUrl,
});

function accessRemedy(code: string | undefined, setting: string): string {
  if (code?.startsWith('28')) return `Correct the user and the password in ${setting}`;
  if (code === '3D000') return `Correct the name of the database in ${setting}, or create it`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `Correct the host in ${setting}`;
  if (code === '53300') return 'Raise max_connections, or lower DATABASE_POOL';
  return `Start that database (\`systemctl status postgresql\`), or correct ${setting}`;
}

export async function withClient<T>({ setting, url }: Target, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: 10_000,
    application_name: 'snapswipe-doctor',
  });
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Blocking('fail', reasonOf(error), accessRemedy((error as { code?: string }).code, setting));
  });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function readRow<T extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<T> {
  const { rows } = await client.query<T>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned nothing');
  return row;
}

const SETTINGS = `SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::int / 10000 AS major,
  current_setting('server_encoding') AS encoding,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
  to_regclass('schema_migrations') IS NOT NULL AS has_schema, pg_is_in_recovery() AS is_replica`;

interface Settings {
  version: string;
  major: number;
  encoding: string;
  connections: number;
  has_schema: boolean;
  is_replica: boolean;
}

export async function checkDatabase(config: Config, processes: number): Promise<string> {
  const settings = await withClient(primaryOf(config), (client) => readRow<Settings>(client, SETTINGS));
  const { version, major, connections } = settings;
  if (major < OLDEST_VERSION)
    throw failure(`it is PostgreSQL ${version}`, `Upgrade it to PostgreSQL ${OLDEST_VERSION} or newer`);
  if (settings.is_replica) throw failure('it is a replica, which takes no writes', 'Point DATABASE_URL to the primary');
  if (settings.encoding !== 'UTF8')
    throw failure(
      `it stores text as ${settings.encoding}: names and reviews in most languages are rejected or spoiled`,
      "Before it holds anything: drop it, then CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0",
    );
  const wanted = processes * (config.databasePool + RESERVED_PER_PROCESS);
  if (!config.isPooled && wanted > connections)
    throw warning(
      `${processes} processes may want ${wanted} connections, and it allows ${connections}`,
      'Lower DATABASE_POOL, raise max_connections, or put PgBouncer in front',
    );
  return `PostgreSQL ${version}, ${connections} connections`;
}

const DURABILITY = `SELECT name, source, quote_ident(current_user) AS role, quote_ident(current_database()) AS database
  FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`;

interface SwitchedOff {
  name: string;
  source: string;
  role: string;
  database: string;
}

/** A setting of the role, the database, or the command line overrides one of the cluster. */
function switchOn({ name, source, role, database }: SwitchedOff): string {
  if (source === 'user') return `ALTER ROLE ${role} RESET ${name};`;
  if (source === 'database') return `ALTER DATABASE ${database} RESET ${name};`;
  if (source === 'database user') return `ALTER ROLE ${role} IN DATABASE ${database} RESET ${name};`;
  if (source === 'client') return `Take ${name} out of the options of the URL.`;
  if (source === 'command line') return `Start PostgreSQL without \`-c ${name}=off\`.`;
  return `ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`;
}

export async function checkDurability(config: Config): Promise<string> {
  const { rows: off } = await withClient(primaryOf(config), (client) => client.query<SwitchedOff>(DURABILITY));
  if (off.length > 0)
    throw failure(
      `${off.map(({ name }) => name).join(', ')} ${off.length === 1 ? 'is' : 'are'} off: a power cut loses votes and payments that were confirmed`,
      `${off.map(switchOn).join(' ')} Then restart the server`,
    );
  return 'what is confirmed survives a power cut';
}

export async function checkSchema(config: Config): Promise<string> {
  const remedy = 'Run `npm run migrate`, or start the server, which does the same';
  const applied = await withClient(primaryOf(config), async (client) => {
    const { has_schema: hasSchema } = await readRow<Settings>(client, SETTINGS);
    if (!hasSchema) throw new Blocking('warn', 'the database is empty: the migrations have not run', remedy);
    const { rows } = await client.query<{ name: string; hash: string }>('SELECT name, hash FROM schema_migrations');
    return new Map(rows.map(({ name, hash }) => [name, hash]));
  });
  const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()]);
  const pending = [...migrations, ...functions].filter(({ name, hash }) => applied.get(name) !== hash);
  const [first] = pending;
  if (first)
    throw warning(`${pending.length} of the changes of this version are missing, the first is ${first.name}`, remedy);
  return 'up to date';
}

const ROLE_RIGHTS = `SELECT current_user AS name, rolsuper AS is_super, rolcreaterole AS can_create,
  current_setting('server_version_num')::int / 10000 AS major,
  EXISTS (SELECT FROM pg_roles WHERE rolname = '${CONSOLE_ROLE}') AS exists,
  EXISTS (SELECT FROM pg_auth_members WHERE admin_option AND member = (SELECT oid FROM pg_roles WHERE rolname = current_user)
    AND roleid = (SELECT oid FROM pg_roles WHERE rolname = '${CONSOLE_ROLE}')) AS administers
  FROM pg_roles WHERE rolname = current_user`;

interface RoleRights {
  name: string;
  is_super: boolean;
  can_create: boolean;
  major: number;
  exists: boolean;
  administers: boolean;
}

/** Before version 16 CREATEROLE is enough for any role. */
function canSetUp({ is_super, can_create, exists, administers, major }: RoleRights): boolean {
  return is_super || (can_create && (!exists || administers || major < 16));
}

export async function checkConsole(config: Config): Promise<string> {
  const { consoleDatabaseUrl } = config;
  if (consoleDatabaseUrl !== null) {
    const target: Target = { setting: 'CONSOLE_DATABASE_URL', url: consoleDatabaseUrl };
    const { name } = await withClient(target, (client) =>
      readRow<{ name: string }>(client, 'SELECT current_user AS name'),
    );
    if (name !== CONSOLE_ROLE)
      throw failure(
        `CONSOLE_DATABASE_URL signs in as ${name}, which may do more than the console should`,
        `Let it sign in as ${CONSOLE_ROLE}`,
      );
    return `signs in as ${CONSOLE_ROLE}`;
  }
  const rights = await withClient(primaryOf(config), (client) => readRow<RoleRights>(client, ROLE_RIGHTS));
  if (canSetUp(rights)) return `${rights.name} may set up the role ${CONSOLE_ROLE}`;
  const grant = rights.exists
    ? `Run as a superuser: GRANT ${CONSOLE_ROLE} TO ${rights.name} WITH ADMIN OPTION; ALTER ROLE ${rights.name} CREATEROLE`
    : `Run as a superuser: ALTER ROLE ${rights.name} CREATEROLE`;
  throw warning(
    `the SQL console does not work: ${rights.name} may not set up the role ${CONSOLE_ROLE}`,
    `${grant}; or create the role with a password, and set CONSOLE_DATABASE_URL`,
  );
}

async function identityOf(client: pg.Client): Promise<string | null> {
  const { id } = await readRow<{ id: string }>(client, IDENTITY).catch(() => ({ id: null }));
  return id;
}

interface Lag {
  is_replica: boolean;
  lag_bytes: string | null;
  feedback: string;
  receives: boolean;
}

const lagSince = (position: string): string => `SELECT pg_is_in_recovery() AS is_replica,
  CASE WHEN pg_is_in_recovery() THEN greatest(0, pg_wal_lsn_diff(${pg.escapeLiteral(position)}, pg_last_wal_replay_lsn()))::text END AS lag_bytes,
  current_setting('hot_standby_feedback') AS feedback,
  EXISTS (SELECT FROM pg_stat_wal_receiver) AS receives`;

const LOOK_AT_REPLICATION = 'Look at pg_stat_replication on the primary and at the log of the replica';
const FAR_BEHIND_BYTES = 16 * 1024 ** 2;

export async function checkReplica(config: Config): Promise<string | null> {
  const { databaseReplicaUrl } = config;
  if (databaseReplicaUrl === null) return null;
  const primary = await withClient(primaryOf(config), async (client) => ({
    id: await identityOf(client),
    ...(await readRow<{ position: string }>(client, 'SELECT pg_current_wal_lsn()::text AS position')),
  }));
  return withClient({ setting: 'DATABASE_REPLICA_URL', url: databaseReplicaUrl }, async (client) => {
    const id = await identityOf(client);
    if (id !== null && primary.id !== null && id !== primary.id)
      throw failure(
        'it belongs to another database',
        'Point DATABASE_REPLICA_URL to a streaming replica of DATABASE_URL',
      );
    const lag = await readRow<Lag>(client, lagSince(primary.position));
    if (!lag.is_replica)
      throw warning(
        'it is not a replica, because it takes writes: reads there spare the primary nothing',
        'Point DATABASE_REPLICA_URL to a streaming replica, or leave it empty',
      );
    const behind = Number(lag.lag_bytes ?? 0);
    if (behind > FAR_BEHIND_BYTES)
      throw failure(
        `it is ${Math.round(behind / 1024 ** 2)} MB behind${lag.receives ? '' : ', and receives nothing'}`,
        `${LOOK_AT_REPLICATION}; until then everything is read from the primary`,
      );
    // A replica on shared storage has no receiver either, but is not behind.
    if (behind > 0 && !lag.receives)
      throw warning(`it receives nothing, and is ${behind} bytes behind`, LOOK_AT_REPLICATION);
    if (lag.feedback === 'off')
      throw warning(
        'hot_standby_feedback is off: reads there are cancelled by clean-up on the primary',
        'On the replica: ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf();',
      );
    return `${behind} bytes behind`;
  });
}

export async function readDatabaseClock(config: Config): Promise<number> {
  return withClient(primaryOf(config), async (client) => {
    const before = Date.now();
    const { ms } = await readRow<{ ms: string }>(
      client,
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS ms',
    );
    return Number(ms) - (before + Date.now()) / 2;
  });
}

/** Debian's folder of clusters; on a machine without it, the parent folder's disk is used. */
const CLUSTERS = '/var/lib/postgresql';

/** Folder of the database's files, when it is on this machine. Only some roles may read the setting. */
export async function readDataFolder(config: Config): Promise<string | null> {
  const host = new URL(config.databaseDirectUrl).hostname;
  if (!['', 'localhost', '127.0.0.1', '[::1]'].includes(host)) return null;
  const found = await withClient(primaryOf(config), (client) =>
    readRow<{ folder: string }>(client, "SELECT current_setting('data_directory') AS folder"),
  ).catch(() => null);
  return found?.folder ?? CLUSTERS;
}
