import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/contract/admin.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { openConsole } from '#lab/testing/console.ts';

const { server, db, panel, version, run, lastAudit, expectAlive } = await openConsole();

describe('attacks: refused or stopped, the server unharmed, a line in the audit log [R32]', () => {
  const refused: [name: string, sqlQuery: string, words: RegExp][] = [
    ['DROP TABLE users', 'DROP TABLE users', /must be owner of table users/],
    ['TRUNCATE', 'TRUNCATE votes', /permission denied/],
    ['ALTER TABLE', 'ALTER TABLE users ADD COLUMN x int', /must be owner/],
    ['CREATE TABLE', 'CREATE TABLE x (a int)', /permission denied for schema public/],
    ['CREATE FUNCTION', `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'`, /permission denied/],
    ['CREATE SCHEMA', 'CREATE SCHEMA mine', /permission denied for database/],
    ['a temporary table', 'CREATE TEMP TABLE t AS SELECT 1', /permission denied to create temporary tables/],
    ['sessions', 'select * from sessions', /permission denied for table sessions/],
    ['sign-in challenges', 'select * from auth_challenges', /permission denied/],
    ['admin sessions', 'select * from admin_sessions', /permission denied/],
    ['roles', 'select * from admins', /permission denied/],
    ['a role of one’s own', "insert into admins values ('0x', 'payer', 'x', null, true, 'x')", /permission denied/],
    ['ending admin sessions', 'delete from admin_sessions', /permission denied/],
    ['the lock-out', 'delete from admin_login_attempts', /permission denied/],
    ['the audit log', 'select * from audit_log', /permission denied/],
    [
      'the audit log, to write',
      `insert into audit_log (actor, action, detail, outcome) values ('a','b','c','d')`,
      /permission denied/,
    ],
    ['the migrations', 'delete from schema_migrations', /permission denied/],
    ['changing the ledger', 'update token_ledger set amount = 1', /permission denied/],
    [
      'casting a vote',
      'insert into votes select id, now(), 1, 1, true from users',
      /permission denied for table votes/,
    ],
    ['changing a vote', 'update votes set period = 2', /permission denied for table votes/],
    ['deleting votes', 'delete from votes', /permission denied for table votes/],
    ['deleting from the ledger', 'delete from token_ledger', /permission denied/],
    ['passwords of the cluster', 'select * from pg_authid', /permission denied/],
    ['COPY … TO PROGRAM', `COPY users TO PROGRAM 'cat > /tmp/x'`, /COPY cannot be used/],
    ['COPY behind a comment', `/* a /* nested */ one */ -- and\n COPY users TO STDOUT`, /COPY cannot be used/],
    [
      'COPY … TO PROGRAM in a DO block',
      `DO $$ BEGIN COPY users TO PROGRAM 'id'; END $$`,
      /permission denied to COPY|must be superuser or have privileges/,
    ],
    [
      'COPY from a file in a DO block',
      `DO $$ BEGIN COPY config FROM '/etc/passwd'; END $$`,
      /permission denied to COPY|must be superuser or have privileges/,
    ],
    ['SET ROLE', 'SET ROLE snapswipe', /permission denied to set role|does not exist/],
    [
      'SET ROLE to the owner',
      `DO $$ BEGIN EXECUTE format('SET ROLE %I', (SELECT tableowner FROM pg_tables WHERE tablename = 'users')); END $$`,
      /permission denied to set role/,
    ],
    [
      'SET SESSION AUTHORIZATION',
      `DO $$ BEGIN EXECUTE format('SET SESSION AUTHORIZATION %I', (SELECT tableowner FROM pg_tables WHERE tablename = 'users')); END $$`,
      /permission denied to set session authorization/,
    ],
    [
      'set_config of the role',
      `SELECT set_config('role', (SELECT tableowner::text FROM pg_tables WHERE tablename = 'users'), false)`,
      /permission denied to set role/,
    ],
    ['two statements', 'SELECT 1; SELECT 2', /cannot insert multiple commands/],
    [
      'two statements with an early COMMIT',
      `UPDATE config SET config_value = 'true'; COMMIT; SELECT 1`,
      /cannot insert multiple commands/,
    ],
    [
      'COMMIT in a DO block',
      `DO $$ BEGIN UPDATE config SET config_value = 'x'; COMMIT; END $$`,
      /invalid transaction termination/,
    ],
    ['COMMIT', 'COMMIT', /COMMIT cannot be used here/],
    ['ROLLBACK', ';; ROLLBACK', /ROLLBACK cannot be used here/],
    ['PREPARE TRANSACTION', `PREPARE TRANSACTION 'x'`, /PREPARE cannot be used here/],
    ['LISTEN', 'LISTEN x', /LISTEN cannot be used/],
    ['NOTIFY', `NOTIFY x, 'y'`, /NOTIFY cannot be used/],
    [
      // In hardly more than the time for writing so much: the five seconds of a statement must not be over before.
      'a result that fills the disk',
      `WITH filler AS MATERIALIZED (SELECT repeat('x', 1000000) FROM generate_series(1, 100000)) SELECT count(*) FROM filler`,
      /temporary file size exceeds "?temp_file_limit/,
    ],
    ['LOAD', `LOAD 'plpgsql'`, /LOAD cannot be used/],
    ['lo_import', `SELECT lo_import('/etc/passwd')`, /permission denied for function lo_import/],
    ['lo_export', `SELECT lo_export(1, '/tmp/x')`, /permission denied for function lo_export/],
    ['pg_read_file', `SELECT pg_read_file('/etc/passwd')`, /permission denied for function pg_read_file/],
    ['pg_ls_dir', `SELECT pg_ls_dir('/')`, /permission denied/],
    ['dblink', `SELECT dblink('dbname=postgres', 'select 1')`, /function dblink\(.*does not exist/],
    ['CREATE EXTENSION', 'CREATE EXTENSION dblink', /permission denied|could not open|not available/],
    ['CREATE ROLE', 'CREATE ROLE intruder SUPERUSER', /permission denied to create role|must be superuser/],
    ['its own password', `ALTER ROLE snapswipe_console SUPERUSER`, /permission denied|must be superuser/],
    ['ALTER SYSTEM', `ALTER SYSTEM SET fsync = off`, /permission denied|cannot run inside a transaction block/],
    ['VACUUM', 'VACUUM', /cannot run inside a transaction block|cannot be executed/],
    ['DROP DATABASE', 'DROP DATABASE postgres', /must be owner|cannot run inside|cannot be executed/],
    ['a reload of the settings', 'SELECT pg_reload_conf()', /permission denied/],
    [
      'ending other connections',
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
      /permission denied|must be a superuser/,
    ],
    ['the function that grants', 'SELECT grant_console()', /permission denied for function grant_console/],
    [
      'votes for others',
      `SELECT * FROM cast_votes(ARRAY['\\x00'::bytea], ARRAY[1::bigint], ARRAY[1::bigint], ARRAY[true], 25, '6 hours')`,
      /permission denied for table sessions/,
    ],
  ];
  test.each(refused)('%s', async (_name, sqlQuery, words) => {
    const result = await run(sqlQuery);
    expect(result.success).toBe(false);
    expect(result.error).toMatch(words);
    expect(result.data).toEqual([]);
    const line = await lastAudit();
    expect(line).toMatchObject({ action: 'sql.run', detail: sqlQuery, actor: panel.admin.address });
    expect(line.outcome).toMatch(/^(error|refused): /);
    await expectAlive();
  });

  test('the rejected statements changed nothing', async () => {
    expect(await run('SELECT config_value FROM config')).toMatchObject({ data: [{ config_value: 'false' }] });
    expect(await run('SELECT session_user AS s, current_user AS c')).toMatchObject({
      data: [{ s: 'snapswipe_console', c: 'snapswipe_console' }],
    });
  });

  const slow: [name: string, sqlQuery: string][] = [
    ['pg_sleep(60)', 'SELECT pg_sleep(60)'],
    [
      'pg_sleep(60) with the timeout switched off before',
      `DO $$ BEGIN PERFORM set_config('statement_timeout', '0', false); PERFORM pg_sleep(60); END $$`,
    ],
    [
      'the timeout switched off in the same SELECT',
      `SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false), pg_sleep(60)`,
    ],
    ...(version >= 170_000
      ? ([
          [
            'the newer timeout switched off as well',
            `SELECT set_config('statement_timeout', '0', false), set_config('transaction_timeout', '0', false), pg_sleep(60)`,
          ],
        ] satisfies [string, string][])
      : []),
    ['an endless loop', 'DO $$ BEGIN LOOP END LOOP; END $$'],
    // Not a recursion or a join: on a quick machine their temporary files reach their own limit first.
    ['rows without end', 'SELECT count(*) FROM (SELECT generate_series(1, 1000000000000000)) AS numbers'],
    ['notifications without end', `DO $$ BEGIN LOOP PERFORM pg_notify('x', clock_timestamp()::text); END LOOP; END $$`],
  ];
  test.each([
    [0, 4],
    [4, 8],
  ])('stops endless statements %i to %i after five seconds', async (from, to) => {
    const statements = slow.slice(from, to);
    // At the same time, as many as the console takes.
    const results = await Promise.all(statements.map(([, sqlQuery]) => run(sqlQuery)));
    // PostgreSQL itself, or where it is too busy for that the server a second later.
    const stopped = /^The statement (took longer than 5 s and was stopped|was cut off: it may take 5 s at most)$/;
    for (const { error } of results) expect(error).toMatch(stopped);
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
    const logged = body.map(({ detail }) => detail);
    expect(logged).toEqual(expect.arrayContaining(statements.map(([, sqlQuery]) => sqlQuery)));
    await expectAlive();
  });

  test('stops a block that catches its own cancellation, and rejects a fifth statement with a retry', async () => {
    const stubborn = `DO $$ BEGIN BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END; END $$`;
    // A minute is more than this test has.
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => panel.post('/api/admin/execute-sql', { sqlQuery: stubborn })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(responses.find(({ status }) => status === 503)?.body).toMatchObject({ error: 'console_busy' });
    await expectAlive();
  });

  test('ends a statement that survives its cancellation and releases its locks', async () => {
    const holds = (action: string) => `DO $$ BEGIN
      LOCK TABLE user_stats IN ACCESS EXCLUSIVE MODE;
      PERFORM set_config('client_connection_check_interval', '0', false), set_config('statement_timeout', '0', false);
      LOOP
        BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN ${action}; END;
      END LOOP;
    END $$`;
    const results = [await run(holds('PERFORM pg_sleep(60)'), true), await run(holds('NULL'))];
    for (const { success, error } of results) {
      expect(success).toBe(false);
      expect(error).toMatch(/cut off|terminating connection/);
    }
    expect(await db.selectFrom('userStats').select('userId').limit(1).execute()).toHaveLength(1);
    await expectAlive();
  });

  test('a password that a statement sets for its role does not sign in', async () => {
    const changed = await run(`ALTER ROLE CURRENT_USER PASSWORD 'letmein-console'`);
    expect(changed).toMatchObject({ success: true });
    const url = new URL(server.databaseUrl);
    url.username = 'snapswipe_console';
    url.password = 'letmein-console';
    const intruder = new pg.Client({ connectionString: url.href });
    await expect(intruder.connect()).rejects.toThrow(/not permitted to log in|password authentication failed/);
    await expectAlive();
  });

  test.each([
    'ALTER ROLE CURRENT_USER SET default_transaction_read_only = on',
    `ALTER ROLE CURRENT_USER SET search_path = 'pg_temp'`,
    `DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    `ALTER ROLE CURRENT_USER SET statement_timeout = 1`,
  ])('a setting for its own role ends with the statement: %s', async (sqlQuery) => {
    expect(await run(sqlQuery)).toMatchObject({ success: true });
    const id = await insertProject(db);
    expect(await run(`UPDATE projects SET description = 'still writable' WHERE id = ${id}`)).toMatchObject({
      success: true,
      rowCount: 1,
    });
    expect(await run(`SELECT current_setting('default_transaction_read_only') AS r`)).toMatchObject({
      data: [{ r: 'off' }],
    });
  });

  test('a lock on a table ends with the statement', async () => {
    expect(await run('LOCK TABLE users IN ACCESS EXCLUSIVE MODE')).toMatchObject({ success: true });
    expect(await db.selectFrom('users').select('id').limit(1).execute()).toHaveLength(1);
    await expectAlive();
  });

  test('settings, locks and notifications end with their statement', async () => {
    await run(`SELECT set_config('statement_timeout', '0', false), set_config('search_path', 'pg_temp', false)`);
    await run('SELECT pg_advisory_lock(42)');
    expect(
      await run(`SELECT current_setting('statement_timeout') AS t, pg_try_advisory_lock(42) AS free`),
    ).toMatchObject({
      data: [{ t: '5s', free: true }],
    });
    await expectAlive();
  });
});
