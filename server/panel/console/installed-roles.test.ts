/** The database roles of ops/deploy/install.sh: the server's may only own its database, and the console works. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlResult } from '#shared/contract/admin.ts';
import { migrate } from '#db/migrate.ts';
import { type LabDatabase, startDatabase, TestOwner } from '#lab/stack.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { startServer } from '#lab/testing/app.ts';

const PSQL = '/usr/bin/psql';

describe.skipIf(!existsSync(PSQL))('roles made by ops/deploy/roles.sql', () => {
  const owner = new TestOwner();
  let postgres: LabDatabase;
  let administrator: pg.Client;
  const urlOf = (username: string, password: string): string =>
    Object.assign(new URL(postgres.url), { username, password, pathname: '/snapswipe' }).href;
  const adminUrl = (): string =>
    Object.assign(new URL(postgres.url), { username: 'postgres', password: 'admin', pathname: '/postgres' }).href;
  /** The same call as the installer's. */
  async function setRoles(variables: Record<string, string>): Promise<void> {
    const set = Object.entries(variables).map(([name, value]) => `\\set ${name} '${value}'\n`);
    const input = set.join('') + (await readFile('ops/deploy/roles.sql', 'utf8'));
    execFileSync(PSQL, ['--quiet', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', adminUrl()], { input });
  }
  /** The reason why a statement is refused to the server's role, or null. */
  async function failure(url: string, statement: string): Promise<string | null> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    postgres = await startDatabase(owner, { durable: false, isBare: true, binDir: process.env['TEST_POSTGRES_BIN'] });
    // That of our test clusters has the name of the server's role.
    const maker = new pg.Client({ connectionString: postgres.url });
    await maker.connect();
    await maker.query("CREATE ROLE postgres LOGIN SUPERUSER PASSWORD 'admin'").catch(() => undefined);
    await maker.end();
    administrator = new pg.Client({ connectionString: adminUrl() });
    await administrator.connect();
    await administrator.query('ALTER ROLE snapswipe RENAME TO maker');
    await administrator.query('DROP DATABASE IF EXISTS snapswipe');
    // An older site, whose role was allowed to create roles, and has done so.
    await administrator.query("CREATE ROLE snapswipe LOGIN CREATEROLE PASSWORD 'first'");
    await administrator.query('CREATE DATABASE snapswipe OWNER snapswipe');
    await administrator.query('GRANT pg_execute_server_program TO snapswipe');
    await setRoles({ console_password: 'given' });
  });
  afterAll(async () => {
    await administrator?.end();
    await owner.end();
  });

  test('the server cannot grant itself programs, files or roles', async () => {
    const url = urlOf('snapswipe', 'first');
    for (const statement of [
      "COPY (SELECT 1) TO PROGRAM 'true'",
      'GRANT pg_execute_server_program TO snapswipe',
      'GRANT pg_read_server_files TO snapswipe',
      'CREATE ROLE other',
      'ALTER ROLE snapswipe CREATEROLE',
      'ALTER ROLE snapswipe_console SUPERUSER',
    ])
      expect([statement, await failure(url, statement)]).toEqual([
        statement,
        expect.stringMatching(/permission denied|must/),
      ]);
  });

  test('the server starts with these roles, and statements of the console run as the created login [R32]', async () => {
    const url = urlOf('snapswipe', 'first');
    await migrate(url);
    const server = await startServer(url, { env: { CONSOLE_DATABASE_URL: urlOf('snapswipe_console', 'given') } });
    const panel = await signInAsAdmin(server);
    const run = async (sqlQuery: string) => (await panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery })).body;
    try {
      expect(await run("SELECT session_user AS name, current_setting('temp_file_limit') AS room")).toMatchObject({
        data: [{ name: 'snapswipe_console', room: '256MB' }],
      });
      expect(await run('SELECT count(*) FROM sessions')).toMatchObject({
        error: expect.stringContaining('permission denied'),
      });
      expect(await run("COPY (SELECT 1) TO PROGRAM 'true'")).toMatchObject({ error: expect.any(String) });
    } finally {
      await server.close();
    }
  });

  test('a second run changes the given passwords, and nothing else', async () => {
    const rightsOf = async () =>
      (
        await administrator.query(
          "SELECT rolname, rolcreaterole, rolcanlogin, rolconfig FROM pg_roles WHERE rolname ~ '^snapswipe' ORDER BY 1",
        )
      ).rows;
    const before = await rightsOf();
    await setRoles({ console_password: 'new', password: 'second' });
    expect(await rightsOf()).toEqual(before);
    expect(await failure(urlOf('snapswipe', 'second'), 'SELECT 1')).toBeNull();
    expect(await failure(urlOf('snapswipe_console', 'new'), 'SELECT 1')).toBeNull();
  });
});
