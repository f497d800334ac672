import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { SQL_TIMEOUT_MS } from '#shared/constants.ts';
import { HttpError } from '../../errors.ts';
import type { Services } from '../../services.ts';

/**
 * The console's way to the database: a login of its own (docs/decisions/0010-sql-console.md). Whoever is connected as
 * snapswipe_console has nothing to go back to: RESET ROLE, SET SESSION AUTHORIZATION or set_config('role', …) lead nowhere.
 */
const ROLE = 'snapswipe_console';
/** All servers of one cluster together. */
const CONNECTION_LIMIT = 20;
const CONNECT_TIMEOUT_MS = 5_000;

/** For databases that ask for no password: then each server makes its own. */
const processSecret = randomBytes(32);

/** The same password in every server that has the same login to the database, and in none that has not. */
function passwordOf(databaseUrl: string): string {
  const { username, password } = new URL(databaseUrl);
  const secret = password === '' ? processSecret : `${username}:${password}`;
  return createHmac('sha256', secret).update(ROLE).digest('base64url');
}

/** The password as PostgreSQL stores it, so that the words themselves never reach its log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

function consoleUrl({ databaseDirectUrl, consoleDatabaseUrl }: Services['config']): string {
  if (consoleDatabaseUrl !== null) return consoleDatabaseUrl;
  // A pooler in front does not know this role.
  const url = new URL(databaseDirectUrl);
  url.username = ROLE;
  url.password = passwordOf(databaseDirectUrl);
  return url.href;
}

/** Two servers, or two databases of a cluster, that write the same catalogue row at once: one of them has to try again. */
const BUSY = new Set(['XX000', '40001', '40P01', '55P03']);
const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || !BUSY.has(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30 * attempt));
    }
  }
}

const granted = new WeakSet<Services['db']>();

/** Brings the role's rights in this database up to date, once in the life of a server. */
async function grantOnce({ db }: Services): Promise<void> {
  if (granted.has(db)) return;
  await persist(() => sql`SELECT grant_console()`.execute(db));
  // Only a superuser may say how much room on disk sorting may take; others leave the cluster's own limit.
  await sql.raw(`ALTER ROLE ${ROLE} SET temp_file_limit = '256MB'`).execute(db).catch(ignoreRefusal);
  granted.add(db);
}

function ignoreRefusal(error: unknown): void {
  if (codeOf(error) !== '42501' && codeOf(error) !== 'XX000') throw error;
}

async function setPassword({ db, config }: Services): Promise<void> {
  const verifier = scramVerifier(passwordOf(config.databaseDirectUrl));
  const change = `ALTER ROLE ${ROLE} LOGIN CONNECTION LIMIT ${CONNECTION_LIMIT} PASSWORD '${verifier}'`;
  await persist(() => sql.raw(change).execute(db));
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'snapswipe-console',
  });
  // A connection that breaks (or is cut on purpose) ends its statement with an error; nobody else needs to hear it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const LOGIN_REFUSED = new Set(['28P01', '28000']);

/**
 * A fresh connection as the console's role, inside an open transaction with its time limits. The caller ends it.
 * @throws 503 when the role cannot be used, with what to do about it.
 */
export async function openConsole(services: Services): Promise<pg.Client> {
  const url = consoleUrl(services.config);
  const ownLogin = services.config.consoleDatabaseUrl === null;
  try {
    await grantOnce(services).catch(ownLogin ? undefined : ignoreRefusal);
    const client = await open(url).catch(async (error: unknown) => {
      if (!ownLogin || !LOGIN_REFUSED.has(codeOf(error))) throw error;
      await setPassword(services);
      return open(url);
    });
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${SQL_TIMEOUT_MS}; SET LOCAL lock_timeout = 2000;
      SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL client_connection_check_interval = 250`);
    return client;
  } catch (error) {
    services.log.error({ err: error }, 'the SQL console has no connection');
    throw new HttpError(503, 'console_unavailable', explain(codeOf(error)), { retryAfterS: 5 });
  }
}

function explain(code: string): string {
  if (code === '53300') return 'The SQL console is busy. Try again in a moment.';
  if (code !== '42501' && code !== '42704' && !LOGIN_REFUSED.has(code))
    return 'The database does not answer the console';
  return `The database user may not set up the role ${ROLE}. Let an administrator create it with a password, and set CONSOLE_DATABASE_URL.`;
}
