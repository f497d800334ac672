import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { answersAsOurs, openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { keepSessionSettings } from '#db/session-settings.ts';
import { checkDatabase } from '#ops/serve/database.ts';
import { makeBackup } from '#ops/backup/make-backup.ts';
import type { SqlResult } from '#shared/contract/admin.ts';
import { jobs } from './jobs.ts';
import { runOnce } from './kit/scheduler.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestDatabase, startServer, type TestApp, type TestDatabase } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { hasPgBouncer, startPgBouncer } from '#lab/testing/pgbouncer.ts';

/**
 * Settings that an administrator may have made for all databases, for one, or for a login: each breaks statements of
 * ours.
 */
const HOSTILE: Record<string, string> = {
  search_path: '"$user", pg_catalog',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  exit_on_error: 'on',
  gin_fuzzy_search_limit: '1',
  plan_cache_mode: 'force_custom_plan',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  idle_session_timeout: '1s',
  idle_in_transaction_session_timeout: '1s',
  // PostgreSQL 17 and later know it.
  transaction_timeout: '1s',
};

async function setAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = client.escapeIdentifier(client.database ?? '');
  const { rows } = await client.query<{ known: string }>('SELECT name AS known FROM pg_settings');
  for (const [setting, value] of Object.entries(HOSTILE))
    if (rows.some(({ known }) => known.toLowerCase() === setting.toLowerCase()))
      await client.query(
        `ALTER DATABASE ${name} SET ${setting} = ${setting === 'search_path' ? value : client.escapeLiteral(value)}`,
      );
  await client.end();
}

let database: TestDatabase;
let server: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  await setAll(database.url);
  server = await startServer(database.url);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const PUBLIC = [
  '/readyz',
  '/api/leaderboard',
  '/api/projects/leaderboard/all',
  '/api/v1/projects',
  '/api/v1/leaderboard.csv',
  '/api/supply',
  '/api/record',
  '/api/trust',
  '/feed.xml',
  '/sitemap.xml',
];
const OF_PROJECT = ['', '/trend', '/reviews', '/similar'];
const OF_USER = ['', '/stats', '/votes', '/activity', '/voting-status', '/daily-deck', '/standing', '/archive'];

test('a site works on a database with unexpected settings', async () => {
  const projectId = await insertProject(server.services.db);
  const user = await newUser(server);
  const vote = await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
  expect(vote.status).toBe(200);
  const paths = [
    ...PUBLIC,
    ...OF_PROJECT.map((path) => `/api/projects/${projectId}${path}`),
    ...OF_USER.map((path) => `/api/users/${user.id}${path}`),
    `/api/projects?userId=${user.id}`,
    '/api/auth/sessions',
  ];
  const statuses = await Promise.all(paths.map(async (path) => `${(await user.get(path)).status} ${path}`));
  expect(statuses.filter((line) => !line.startsWith('200 '))).toEqual([]);
  for (const job of jobs) await runOnce(server.services, job);
  const failed = await server.services.db
    .selectFrom('jobRuns')
    .select(['name', 'error'])
    .where('error', 'is not', null)
    .execute();
  expect(failed).toEqual([]);
  const admin = await signInAsAdmin(server);
  const sqlQuery = `SELECT '2026-11-25 21:00:00+00'::timestamptz::text AS moment, '\\x00'::bytea::text AS bytes`;
  expect((await admin.post<SqlResult>('/api/admin/execute-sql', { sqlQuery })).body).toMatchObject({
    data: [{ moment: '2026-11-25 21:00:00+00', bytes: '\\x00' }],
  });
});

test('migrations run on a database with unexpected settings', async () => {
  await expect(migrate(database.url)).resolves.toBeUndefined();
});

// pg_dump must have the server's version.
test.skipIf(process.env['TEST_DATABASE'] !== 'system')(
  'a backup of a database with unexpected settings names its moment',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-any-'));
    try {
      const { manifest } = await makeBackup({ databaseUrl: database.url, to: folder, keep: 1 });
      expect(Date.now() - new Date(manifest.moment).getTime()).toBeLessThan(600_000);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test("settings in the URL's options are kept unless ours override them", async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c work_mem=7MB -c DateStyle=German');
  const { pool, close } = openDatabase(url.href, { maxConnections: 1 });
  const { rows } = await pool.query(
    `SELECT current_setting('work_mem') AS memory, current_setting('DateStyle') AS style`,
  );
  await close();
  expect(rows).toEqual([{ memory: '7MB', style: expect.stringMatching(/^ISO/) }]);
});

test('the start warns that the order of texts has changed since the indexes were built', async () => {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  const name = `icu_${process.pid}`;
  const said = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await admin.query(`CREATE DATABASE ${name} LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0`);
    const url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
    await migrate(url);
    await admin.query(`UPDATE pg_database SET datcollversion = '1' WHERE datname = '${name}'`);
    await checkDatabase(url);
    expect(said).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/order of texts.* changed from version 1 to .*REINDEX DATABASE/s),
    );
  } finally {
    said.mockRestore();
    await admin.query(`DROP DATABASE IF EXISTS ${name}`);
    await admin.end();
  }
});

// Skipped where Debian's package pgbouncer is not installed; `npm test` installs it where it can.
describe.skipIf(!hasPgBouncer)('a site works behind a pooler, which refuses start-up parameters', () => {
  test('a login with another date style gets ours before the server is ready', async () => {
    const bouncer = await startPgBouncer(inject('databaseUrl'), 2);
    try {
      const pooled = () => openDatabase(bouncer.through(database.url), { isPooled: true, maxConnections: 1 });
      const before = pooled();
      expect(await answersAsOurs(before.pool)).toBe(false);
      await before.close();
      await keepSessionSettings(database.url);
      // Earlier connections keep their settings.
      await bouncer.stop();
      await bouncer.start();
      const after = pooled();
      expect(await answersAsOurs(after.pool)).toBe(true);
      const names = Object.keys(HOSTILE);
      const { rows } = await after.pool.query<{ name: string; value: string }>(
        'SELECT name, setting AS value FROM pg_settings WHERE name = ANY ($1) ORDER BY name',
        [names],
      );
      await after.close();
      const kept = rows.filter(({ name, value }) => HOSTILE[name] === value);
      expect([rows.length > 15, kept]).toEqual([true, []]);
    } finally {
      await bouncer.end();
    }
  });
});
