import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

export const STATEMENT_TIMEOUT_MS = 15_000;

const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  search_path: 'public',
  // The driver reads dates and bytes in these forms only.
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  // A job locks by an otherwise idle transaction, and a server waits silently for notifications.
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  lock_timeout: '0',
  // Settings that change what a statement means, or whether it ends the session.
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  exit_on_error: 'off',
  gin_fuzzy_search_limit: '0',
  plan_cache_mode: 'auto',
};

/** Settings that older servers do not know, and reject in a start-up packet. A job's transaction may take minutes. */
const NEWER_SETTINGS: Readonly<Record<string, string>> = {
  transaction_timeout: '0',
  restrict_nonsystem_relation_kind: '',
};
const ALL_SETTINGS = { ...SESSION_SETTINGS, ...NEWER_SETTINGS };

/** Run on each new connection that is not a pooler's. */
export const setNewerSettings = (client: pg.ClientBase): Promise<unknown> =>
  client.query({
    text: `SELECT set_config(s.name, n.value, false) FROM pg_settings s JOIN unnest($1::text[], $2::text[]) AS n (name, value) ON n.name = s.name
      WHERE s.setting <> n.value`,
    values: [Object.keys(NEWER_SETTINGS), Object.values(NEWER_SETTINGS)],
    query_timeout: 10_000,
  } as pg.QueryConfig);

const startUp = (chosen: string): string =>
  Object.entries(SESSION_SETTINGS)
    // A search_path that the URL names is meant for this program.
    .filter(([name]) => name !== 'search_path' || !/\bsearch_path\s*=/.test(chosen))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

/** Adds our settings to the `options` of the URL. A pooler rejects them. */
export function directConnection(url: string): { connectionString: string; options: string } {
  const given = URL.canParse(url) ? new URL(url) : null;
  const own = given?.searchParams.get('options') ?? null;
  if (given === null || own === null) return { connectionString: url, options: startUp('') };
  // Taken out of the URL, where its options would replace ours.
  given.searchParams.delete('options');
  return { connectionString: given.href, options: `${own} ${startUp(own)}` };
}

/**
 * Sets our settings and a statement timeout on this login in this database: a pooler rejects start-up parameters, and its SET would remain
 * on another client's connection. Keeps a timeout that the role, database or cluster has. Needs a direct connection.
 */
export async function keepSessionSettings(directUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('BEGIN READ WRITE');
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.sessionSettings]);
    const { differing, hasTimeLimit } = await readSessionSettings(client);
    for (const { name, wanted } of differing) await setForLogin(client, name, wanted);
    if (!hasTimeLimit && !(await isTimeLimitChosen(client)))
      await setForLogin(client, 'statement_timeout', String(STATEMENT_TIMEOUT_MS));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

export interface SessionState {
  differing: { name: string; value: string; wanted: string }[];
  hasTimeLimit: boolean;
}

export async function readSessionSettings(client: pg.Client): Promise<SessionState> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'SELECT name, reset_val AS value FROM pg_settings WHERE name = ANY ($1) ORDER BY name',
    [[...Object.keys(ALL_SETTINGS), 'statement_timeout']],
  );
  return {
    differing: rows.flatMap(({ name, value }) => {
      const wanted = ALL_SETTINGS[name];
      // 'ISO, DMY' is ISO: the rest applies to typed dates. 'Etc/UTC' is UTC.
      return wanted === undefined || value.replace(/,.*|^Etc\//g, '') === wanted ? [] : [{ name, value, wanted }];
    }),
    hasTimeLimit: rows.some(({ name, value }) => name === 'statement_timeout' && value !== '0'),
  };
}

const setForLogin = (client: pg.Client, name: string, value: string): Promise<unknown> =>
  client.query(`DO $$ BEGIN
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = %L', session_user, current_database(), ${pg.escapeLiteral(value)});
  END $$`);

async function isTimeLimitChosen(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
      AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user)) AND setting LIKE 'statement_timeout=%'`);
  return rows.length > 0;
}
