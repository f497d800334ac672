/** The SQL console where the database user may not set up roles: an administrator has made the login (CONSOLE_DATABASE_URL). */
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { AuditEntry, SqlResult } from '#shared/contract/admin.ts';
import { migrate } from '#db/migrate.ts';
import { startDatabase, TestOwner } from '#lab/stack.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { startServer } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';

/**
 * A separate cluster, of the version that the run is on: in the shared one, other servers lock the console's role after
 * each statement.
 */
const owner = new TestOwner();
const postgres = await startDatabase(owner, { durable: false, isBare: true, binDir: process.env['TEST_POSTGRES_BIN'] });
const administrator = new pg.Client({ connectionString: postgres.url });
await administrator.connect();
await administrator.query("CREATE ROLE plain LOGIN PASSWORD 'secret'");
await administrator.query("CREATE ROLE snapswipe_console LOGIN PASSWORD 'given'");
await administrator.query('CREATE DATABASE plain OWNER plain');

const urlOf = (username: string, password: string): string =>
  Object.assign(new URL(postgres.url), { username, password, pathname: '/plain' }).href;

await migrate(urlOf('plain', 'secret'));
const server = await startServer(urlOf('plain', 'secret'), {
  env: { CONSOLE_DATABASE_URL: urlOf('snapswipe_console', 'given') },
});
const panel = await signInAsAdmin(server);

afterAll(async () => {
  await server.close();
  await administrator.end();
  await owner.end();
});

async function run(sqlQuery: string, dryRun = false): Promise<SqlResult> {
  const response = await panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery, ...(dryRun ? { dryRun } : {}) });
  expect(response.status).toBe(200);
  return response.body;
}

/** The console's role in the catalog. */
async function roleNow() {
  const { rows } = await administrator.query<{ canLogIn: boolean; password: string }>(
    `SELECT rolcanlogin AS "canLogIn", rolpassword AS password FROM pg_authid WHERE rolname = 'snapswipe_console'`,
  );
  return rows[0];
}

async function consoleConnections(): Promise<number> {
  const { rows } = await administrator.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'snapswipe_console'",
  );
  return rows[0]?.n ?? 0;
}

test('statements run as the login that was given, which stays as it was made [R32]', async () => {
  const before = await roleNow();
  const { data } = await run('SELECT session_user AS session, current_user AS present');
  expect(data).toEqual([{ session: 'snapswipe_console', present: 'snapswipe_console' }]);
  expect(before?.canLogIn).toBe(true);
  expect(await roleNow()).toEqual(before);
});

test('a dry run leaves nothing, a run is written, and both are in the audit log [R32]', async () => {
  const { db } = server.services;
  const id = await insertProject(db);
  const change = `UPDATE projects SET category = 'NFT' WHERE id = ${id}`;
  const category = async () =>
    (await db.selectFrom('projects').select('category').where('id', '=', id).executeTakeFirstOrThrow()).category;

  expect(await run(change, true)).toMatchObject({ success: true, rowCount: 1 });
  expect(await category()).toBe('DeFi');
  expect(await run(change)).toMatchObject({ success: true, rowCount: 1 });
  expect(await category()).toBe('NFT');

  const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
  expect(body.filter(({ detail }) => detail === change)).toHaveLength(2);
});

test.each(['SELECT * FROM sessions', 'SELECT * FROM audit_log', 'CREATE TABLE x (a int)', 'SET ROLE plain'])(
  'this login has the limits of the console: %s [R32]',
  async (forbidden) => {
    expect(await run(forbidden)).toMatchObject({ success: false, error: expect.stringMatching(/denied/) });
  },
);

test('a second connection of the same login ends a statement that catches its cancellation and continues [R32]', async () => {
  const endless = `DO $$ BEGIN
    PERFORM set_config('statement_timeout', '0', true), set_config('client_connection_check_interval', '0', true);
    IF current_setting('server_version_num')::int >= 170000 THEN
      PERFORM set_config('transaction_timeout', '0', true);
    END IF;
    LOOP
      BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
    END LOOP;
  END $$`;
  expect(await run(endless)).toMatchObject({ success: false, error: expect.stringMatching(/cut off|terminating/) });
  await expect.poll(() => consoleConnections(), { timeout: 20_000 }).toBe(0);
  expect(await run('SELECT 1 AS one')).toMatchObject({ success: true, data: [{ one: 1 }] });
});
