import { createHash, createHmac, pbkdf2Sync, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { SQL_TIMEOUT_MS } from '#shared/constants.ts';
import { directConnection } from '#db/session-settings.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { codeOf, withRetry } from './catalogue-retry.ts';

/**
 * The console's connection to the database: a separate login (docs/build/decisions/0010-sql-console.md). A session that
 * is connected as snapswipe_console has no other role to return to: RESET ROLE, SET SESSION AUTHORIZATION or
 * set_config('role', …) have no effect.
 */
const ROLE = 'snapswipe_console';
const CONNECTION_LIMIT = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** Time after which a statement that did not stop at SQL_TIMEOUT_MS is ended from outside. */
export const CONSOLE_CUT_OFF_MS = SQL_TIMEOUT_MS + 1_000;

/** The password as PostgreSQL stores it, so that the plain text never reaches the database's log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

function ownUrl({ databaseDirectUrl }: Services['config'], password: string): string {
  const url = new URL(databaseDirectUrl);
  url.username = ROLE;
  url.password = password;
  return url.href;
}

const granted = new WeakSet<Services['db']>();

/** Updates the role's rights in this database, once in the life of a server. */
async function grantOnce({ db }: Services): Promise<void> {
  if (granted.has(db)) return;
  await withRetry(() => sql`SELECT grant_console()`.execute(db));
  // Allows ending a statement that does not stop (pg_terminate_backend). A superuser needs no membership.
  await sql.raw(`GRANT ${ROLE} TO CURRENT_USER`).execute(db).catch(ignoreRejection);
  granted.add(db);
}

function ignoreRejection(error: unknown): void {
  if (codeOf(error) !== '42501' && codeOf(error) !== 'XX000') throw error;
}

/**
 * Opens the login for one connection, without settings that a statement may have left on its role. Only a superuser may
 * limit the disk space for sorting.
 */
async function unlock({ db }: Services, password: string): Promise<void> {
  const change = `DO $do$ BEGIN
    ALTER ROLE ${ROLE} RESET ALL;
    EXECUTE format('ALTER ROLE ${ROLE} IN DATABASE %I RESET ALL', current_database());
    BEGIN
      ALTER ROLE ${ROLE} SET temp_file_limit = '256MB';
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    ALTER ROLE ${ROLE} LOGIN CONNECTION LIMIT ${CONNECTION_LIMIT} PASSWORD '${scramVerifier(password)}';
  END $do$`;
  await withRetry(() => sql.raw(change).execute(db));
}

/** Closes the login again: a statement may give its role another password, but not the right to log in. */
const lock = ({ db }: Services): Promise<unknown> =>
  withRetry(() => sql.raw(`ALTER ROLE ${ROLE} NOLOGIN PASSWORD NULL`).execute(db));

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...directConnection(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'snapswipe-console',
  });
  // A connection that breaks (or is cut on purpose) ends its statement with an error, which is enough.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const LOGIN_REFUSED = new Set(['28P01', '28000']);
/** Another server, or another database of the cluster, has opened and closed the login in between. */
const OPEN_ATTEMPTS = 8;

let lastOpening: Promise<unknown> = Promise.resolve();

function openOwn(services: Services): Promise<pg.Client> {
  const before = lastOpening;
  const opening = openUnlocked(services, before);
  lastOpening = opening.catch(() => undefined);
  return opening;
}

async function openUnlocked(services: Services, before: Promise<unknown>): Promise<pg.Client> {
  await before;
  await grantOnce(services);
  let attempt = 1;
  for (;;) {
    const password = randomBytes(24).toString('base64url');
    await unlock(services, password);
    try {
      return await open(ownUrl(services.config, password));
    } catch (error) {
      if (attempt === OPEN_ATTEMPTS || !LOGIN_REFUSED.has(codeOf(error))) throw error;
    } finally {
      await lock(services);
    }
    await new Promise((resolve) => setTimeout(resolve, randomInt(20, 50 * attempt)));
    attempt += 1;
  }
}

async function openGiven(services: Services, url: string): Promise<pg.Client> {
  await grantOnce(services).catch(ignoreRejection);
  return open(url);
}

/** PostgreSQL 17 ends statements that catch their cancellation. */
const TRANSACTION_TIMEOUT = `DO $do$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN
    PERFORM set_config('transaction_timeout', '${CONSOLE_CUT_OFF_MS}', true);
  END IF;
END $do$`;

export interface ConsoleConnection {
  client: pg.Client;
  pid: number;
}

/** CONSOLE_DATABASE_URL signs in as a role that the grants of the console do not bind. */
class ForeignLoginError extends Error {}

/**
 * A fresh connection as the console's role, inside an open transaction with its time limits. The caller ends it.
 * @throws 503 with a remedy when the role cannot be used.
 */
export async function openConsole(services: Services): Promise<ConsoleConnection> {
  const { consoleDatabaseUrl } = services.config;
  try {
    const client = await (consoleDatabaseUrl === null ? openOwn(services) : openGiven(services, consoleDatabaseUrl));
    await client.query(`BEGIN READ WRITE; SET LOCAL statement_timeout = ${SQL_TIMEOUT_MS}; SET LOCAL lock_timeout = 2000;
      SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL client_connection_check_interval = 250;
      SET LOCAL search_path = public; ${TRANSACTION_TIMEOUT}`);
    const { rows } = await client.query<{ pid: number; name: string }>(
      'SELECT pg_backend_pid() AS pid, session_user AS name',
    );
    const { pid = 0, name = '' } = rows[0] ?? {};
    if (name === ROLE) return { client, pid };
    await client.end();
    throw new ForeignLoginError(
      `CONSOLE_DATABASE_URL signs in as ${name}, which may do more than the console should: let it sign in as ${ROLE}.`,
    );
  } catch (error) {
    services.log.error({ err: error }, 'the SQL console has no connection');
    throw new HttpError(503, 'console_unavailable', explain(error), { retryAfterS: 5 });
  }
}

/** Ends a statement that catches its cancellation and switches off the timers of its connection. */
export async function endFromOutside(services: Services, { pid }: ConsoleConnection): Promise<void> {
  const end = (run: pg.Pool | pg.Client) => run.query('SELECT pg_terminate_backend($1)', [pid]);
  try {
    await end(services.pool);
  } catch (error) {
    const { consoleDatabaseUrl } = services.config;
    if (codeOf(error) !== '42501' || consoleDatabaseUrl === null) throw error;
    const other = await open(consoleDatabaseUrl);
    try {
      await end(other);
    } finally {
      await other.end();
    }
  }
}

function explain(error: unknown): string {
  if (error instanceof ForeignLoginError) return error.message;
  const code = codeOf(error);
  if (code === '53300') return 'The SQL console is busy. Try again in a moment.';
  if (code !== '42501' && code !== '42704' && !LOGIN_REFUSED.has(code))
    return 'The database does not respond to the console';
  return `The database user may not set up the role ${ROLE}. Let an administrator create it with a password, and set CONSOLE_DATABASE_URL.`;
}
