import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { AuditEntry, SqlResult } from '#shared/contract/admin.ts';
import { QUICK_QUERIES } from '#shared/quick-queries.ts';
import { isReservedSlug } from '#shared/reserved-slugs.ts';
import { createTestApp, startServer } from '../../testing/app.ts';
import { insertProject, insertProjects, insertUser } from '../../testing/builders.ts';
import { signInAsAdmin } from '../../testing/admin-panel.ts';
import { startSilentProxy } from '../../testing/silent-proxy.ts';

const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);
/** 150017 for 15.17: the rights of roles, and the messages about them, have changed over PostgreSQL's versions. */
const version = Number(
  (await server.services.pool.query<{ n: string }>(`SELECT current_setting('server_version_num') AS n`)).rows[0]?.n,
);

async function run(sqlQuery: string, dryRun?: boolean): Promise<SqlResult> {
  const response = await panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery, ...(dryRun ? { dryRun } : {}) });
  expect(response.status).toBe(200);
  return response.body;
}

async function lastAudit(): Promise<AuditEntry> {
  const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
  if (!body[0]) throw new Error('the audit log is empty');
  return body[0];
}

/** Running statements that begin like this. */
const countRunning = async (start: string) =>
  (await run(`SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '${start}%' AND state = 'active'`)).data[0]
    ?.n;

/** The server and its database still do their work. */
async function expectAlive(): Promise<void> {
  expect((await panel.get('/readyz')).status).toBe(200);
  expect(await run('SELECT 1 AS one')).toMatchObject({ success: true, data: [{ one: 1 }] });
}

describe('what it does [S7.24 S3.12 R32]', () => {
  test('rows as objects, numbers as numbers, columns in their order, a name that comes twice', async () => {
    const result = await run(`SELECT 2 AS b, 'text' AS a, true AS yes, NULL AS nothing, 9007199254740993 AS big,
      1.5::float8 AS half, 3 AS b, '2026-01-02'::date AS day, 7 AS "1"`);
    expect(result).toMatchObject({
      success: true,
      message: 'SELECT: 1 row',
      error: null,
      columns: ['b', 'a', 'yes', 'nothing', 'big', 'half', 'b_2', 'day', '1'],
      command: 'SELECT',
      rowCount: 1,
      truncated: false,
      wrote: false,
    });
    expect(result.data).toEqual([
      {
        b: 2,
        a: 'text',
        yes: true,
        nothing: null,
        big: '9007199254740993',
        half: 1.5,
        b_2: 3,
        day: '2026-01-02',
        '1': 7,
      },
    ]);
    expect(await lastAudit()).toMatchObject({
      action: 'sql.run',
      outcome: 'ok',
      rowCount: 1,
      actor: panel.admin.address,
    });
  });

  test('a write commits and is in the audit log with its rows before it is visible', async () => {
    const [one, two] = await insertProjects(db, 2);
    const sqlQuery = `UPDATE projects SET category = 'Meme' WHERE id IN (${one}, ${two})`;
    expect(await run(sqlQuery)).toMatchObject({
      success: true,
      command: 'UPDATE',
      rowCount: 2,
      wrote: true,
      dryRun: false,
    });
    const rows = await db
      .selectFrom('projects')
      .select('category')
      .where('id', 'in', [one ?? 0, two ?? 0])
      .execute();
    expect(rows).toEqual([{ category: 'Meme' }, { category: 'Meme' }]);
    expect(await lastAudit()).toMatchObject({ action: 'sql.run', detail: sqlQuery, outcome: 'committed', rowCount: 2 });
  });

  test('a dry run reports rows and count, and changes nothing', async () => {
    const id = await insertProject(db);
    const sqlQuery = `UPDATE projects SET category = 'DAO' WHERE id = ${id} RETURNING id, category`;
    expect(await run(sqlQuery, true)).toMatchObject({
      success: true,
      message: 'UPDATE: 1 row, rolled back',
      data: [{ id, category: 'DAO' }],
      rowCount: 1,
      wrote: true,
      dryRun: true,
    });
    const row = await db.selectFrom('projects').select('category').where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.category).toBe('DeFi');
    expect(await lastAudit()).toMatchObject({ action: 'sql.dry-run', outcome: 'rolled back', rowCount: 1 });
  });

  test('an error has PostgreSQL’s words, the place, and a line in the audit log [S8.18]', async () => {
    const result = await run('SELECT nonsense FROM projects');
    expect(result).toMatchObject({
      success: false,
      message: 'SQL Error',
      error: 'column "nonsense" does not exist',
      position: 8,
      data: [],
      command: null,
    });
    expect(await lastAudit()).toMatchObject({ outcome: 'error: column "nonsense" does not exist' });
    expect(await run('SELEC 1')).toMatchObject({
      success: false,
      error: 'syntax error at or near "SELEC"',
      position: 1,
    });
    expect(await run('INSERT INTO config VALUES (NULL, NULL)')).toMatchObject({ success: false });
    await expectAlive();
  });

  test('an empty statement is No Query [S5.7]', async () => {
    for (const nothing of ['', '   ', '\n\t'])
      expect(await run(nothing)).toMatchObject({ success: false, error: 'No Query' });
    expect(await run('-- only a comment')).toMatchObject({ success: true, data: [], rowCount: null });
  });

  test('what a deferred constraint refuses is reported before anything is committed, by a dry run too', async () => {
    const owner = new pg.Client({ connectionString: server.databaseUrl });
    await owner.connect();
    await owner.query(
      'ALTER TABLE activity ADD CONSTRAINT late FOREIGN KEY (amount_mist) REFERENCES users DEFERRABLE INITIALLY DEFERRED',
    );
    const user = await insertUser(db);
    const statement = `INSERT INTO activity (user_id, kind, text, amount_mist) VALUES (${user}, 'project_renewed', 'x', 999999)`;
    const results = [await run(statement, true), await run(statement)];
    await owner.query('ALTER TABLE activity DROP CONSTRAINT late');
    await owner.end();
    for (const { success, error } of results) {
      expect(success).toBe(false);
      expect(error).toMatch(/violates foreign key constraint "late"/);
    }
    expect((await lastAudit()).outcome).toMatch(/^error: .*"late"/);
    expect(await db.selectFrom('activity').selectAll().where('userId', '=', user).execute()).toEqual([]);
  });

  test('a statement that fails when it is committed is reported as such', async () => {
    const owner = new pg.Client({ connectionString: server.databaseUrl });
    await owner.connect();
    // Looks harmless at first, and delays a second execution until the commit.
    await owner.query(`CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF NEW.kind = 'review_hidden' THEN RAISE EXCEPTION 'refused at the commit'; END IF;
        SET CONSTRAINTS refused_late DEFERRED;
        INSERT INTO activity (user_id, kind, text) VALUES (NEW.user_id, 'review_hidden', 'x');
        RETURN NULL;
      END $$`);
    await owner.query(`CREATE CONSTRAINT TRIGGER refused_late AFTER INSERT ON activity DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse_late()`);
    const user = await insertUser(db);
    const result = await run(`INSERT INTO activity (user_id, kind, text) VALUES (${user}, 'project_renewed', 'x')`);
    await owner.query('DROP TRIGGER refused_late ON activity');
    await owner.query('DROP FUNCTION refuse_late');
    await owner.end();
    expect(result).toMatchObject({ success: false, error: 'refused at the commit' });
    expect((await lastAudit()).outcome).toMatch(/^commit failed/);
    expect(await db.selectFrom('activity').selectAll().where('userId', '=', user).execute()).toEqual([]);
  });
});

describe('the quick queries work [S2.40 R32]', () => {
  test.each(QUICK_QUERIES.map((query) => [query.label, query.sql]))('%s', async (_label, sqlQuery) => {
    await insertProject(db, { expiresInDays: -2 });
    expect(await run(sqlQuery, true)).toMatchObject({ success: true, error: null });
  });

  test('what they count and list is what there is: active, expired and hidden projects', async () => {
    const rowsOf = async (label: string) =>
      (await run(QUICK_QUERIES.find((query) => query.label === label)?.sql ?? '', true)).data ?? [];
    const counts = async () => {
      const [row = {}] = await rowsOf('Count projects');
      return ['projects', 'active', 'expired', 'hidden'].map((column) => Number(row[column]));
    };
    const before = await counts();
    const [expired, hidden] = [
      await insertProject(db, { expiresInDays: -2 }),
      await insertProject(db, { hidden: true }),
      await insertProject(db),
      await insertProject(db),
    ];
    expect((await counts()).map((count, i) => count - (before[i] ?? 0))).toEqual([4, 2, 1, 1]);
    const ids = new Set((await rowsOf('Expired projects')).map(({ id }) => Number(id)));
    expect([ids.has(expired), ids.has(hidden)]).toEqual([true, false]);
  });

  test('fix slugs and renew all: slugs from the names, unique and never a route of ours, 31 days for each', async () => {
    const [broken, twin, route, number, silent, far, fine, expired] = [
      await insertProject(db, { name: 'Café  Swap!' }),
      await insertProject(db, { name: 'Cafe Swap' }),
      await insertProject(db, { name: 'Admin' }),
      await insertProject(db, { name: '2048' }),
      await insertProject(db, { name: '🦈 鲨鱼' }),
      await insertProject(db, { name: 'Æther-Straße ca\u200dt Ёж' }),
      await insertProject(db, { name: 'Fine One' }),
      await insertProject(db, { name: 'Old One', expiresInDays: -40 }),
    ];
    for (const [id, slug] of [
      [broken, ''],
      [twin, '   '],
      [route, 'admin'],
      [number, '2048'],
      [silent, String(silent)],
      [far, 'Æ'],
    ] as const)
      await db.updateTable('projects').set({ slug }).where('id', '=', id).execute();
    // The address of the first may have belonged to another connection.
    await db
      .insertInto('projectSlugs')
      .values({ slug: `cafe-swap-${broken}`, projectId: fine })
      .execute();
    const before = await db.selectFrom('projects').select(['id', 'slug', 'expiresAt']).execute();
    const sqlQuery = QUICK_QUERIES.find(({ label }) => label.includes('renew'))?.sql ?? '';
    const dry = await run(sqlQuery, true);
    expect(dry).toMatchObject({ success: true, wrote: true, rowCount: before.length });
    expect(await db.selectFrom('projects').select(['id', 'slug', 'expiresAt']).execute()).toEqual(before);

    expect(await run(sqlQuery)).toMatchObject({ success: true, rowCount: before.length });
    const after = new Map(
      (await db.selectFrom('projects').select(['id', 'slug', 'expiresAt']).execute()).map((row) => [row.id, row]),
    );
    expect(after.get(broken)?.slug).toBe(`cafe-swap-${broken}-${broken}`);
    expect(after.get(twin)?.slug).toBe(`cafe-swap-${twin}`);
    expect(after.get(route)?.slug).toBe(`admin-${route}`);
    expect(after.get(number)?.slug).toBe(`2048-${number}`);
    expect(after.get(silent)?.slug).toBe(`project-${silent}`);
    expect(after.get(far)?.slug).toBe(`aether-strasse-cat-ezh-${far}`);
    for (const { slug } of after.values()) expect(isReservedSlug(slug)).toBe(false);
    expect(after.get(fine)?.slug).toBe(before.find(({ id }) => id === fine)?.slug);
    for (const { id, expiresAt } of before) {
      const from = Math.max(Date.now(), expiresAt.getTime());
      const days = ((after.get(id)?.expiresAt.getTime() ?? 0) - from) / 86_400_000;
      expect(days).toBeGreaterThan(30.99);
      expect(days).toBeLessThan(31.01);
    }
    expect(after.get(expired)?.expiresAt.getTime()).toBeGreaterThan(Date.now());
    const slugs = await db.selectFrom('projectSlugs').select('slug').where('projectId', '=', broken).execute();
    expect(slugs.map(({ slug }) => slug)).toContain(`cafe-swap-${broken}-${broken}`);
  });
});

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
      'insert into votes select id, now(), 1, 10, 1, true from users',
      /permission denied for table votes/,
    ],
    ['changing a vote', 'update votes set tokens = 1000', /permission denied for table votes/],
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
      // In little more than the time for writing that much: a statement's five seconds must not be over before.
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
      `SELECT * FROM cast_votes(ARRAY['\\x00'::bytea], ARRAY[1::bigint], ARRAY[1::bigint], ARRAY[true], 25, '6 hours', 10)`,
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

  test('what was tried changed nothing', async () => {
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
    // Useless here: a recursion or a join, whose temporary files meet their own limit first on a fast machine.
    ['rows without end', 'SELECT count(*) FROM (SELECT generate_series(1, 1000000000000000)) AS numbers'],
    ['notifications without end', `DO $$ BEGIN LOOP PERFORM pg_notify('x', clock_timestamp()::text); END LOOP; END $$`],
  ];
  test.each([
    [0, 4],
    [4, 8],
  ])('endless statements %i to %i are stopped after five seconds', async (from, to) => {
    const statements = slow.slice(from, to);
    // The maximum number of simultaneous statements of the console.
    const results = await Promise.all(statements.map(([, sqlQuery]) => run(sqlQuery)));
    // PostgreSQL itself, or the server a second later where PostgreSQL is too busy.
    const stopped = /^The statement (took longer than 5 s and was stopped|was cut off: it may take 5 s at most)$/;
    for (const { error } of results) expect(error).toMatch(stopped);
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
    const logged = body.map(({ detail }) => detail);
    expect(logged).toEqual(expect.arrayContaining(statements.map(([, sqlQuery]) => sqlQuery)));
    await expectAlive();
  });

  test('a block that catches its own cancellation does not sleep on; a fifth statement is asked to come back', async () => {
    const stubborn = `DO $$ BEGIN BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END; END $$`;
    // A minute is more than this test has.
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => panel.post('/api/admin/execute-sql', { sqlQuery: stubborn })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(responses.find(({ status }) => status === 503)?.body).toMatchObject({ error: 'console_busy' });
    await expectAlive();
  });

  test('what catches its cancellation and goes on is ended from outside, and lets go of what it held', async () => {
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

  test('a password that a statement gives its own role opens no door', async () => {
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
  ])('what a statement sets for its own role does not outlive it: %s', async (sqlQuery) => {
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

  test('settings, locks and notifications of one statement do not reach the next', async () => {
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

describe('size [R32]', () => {
  test('10 million rows: the first thousand, without loading them all', async () => {
    const memoryBefore = process.memoryUsage().rss;
    const result = await run('SELECT generate_series(1, 10000000) AS n, repeat(md5(now()::text), 10) AS text');
    expect(result).toMatchObject({
      success: true,
      truncated: true,
      rowCount: null,
      message: 'SELECT: more than 1000 rows',
    });
    expect(result.data).toHaveLength(1000);
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(200 * 1024 * 1024);
    expect(await lastAudit()).toMatchObject({ rowCount: 1000 });
  });

  test('exactly a thousand rows are not called truncated', async () => {
    const result = await run('SELECT n FROM generate_series(1, 1000) AS n');
    expect(result).toMatchObject({ truncated: false, rowCount: 1000 });
    expect(result.data).toHaveLength(1000);
    expect(await run('SELECT n FROM generate_series(1, 1001) AS n')).toMatchObject({ truncated: true });
  });

  test('a write that returns more than a thousand rows is counted to its end', async () => {
    await run(`INSERT INTO job_runs SELECT 'job ' || n, now() FROM generate_series(1, 2500) AS n`);
    const result = await run(`DELETE FROM job_runs WHERE name LIKE 'job %' RETURNING name`);
    expect(result).toMatchObject({ success: true, command: 'DELETE', rowCount: 2500, truncated: true });
    expect(result.data).toHaveLength(1000);
    expect(await run('SELECT count(*) AS n FROM job_runs')).toMatchObject({ data: [{ n: 0 }] });
    const insert = `INSERT INTO job_runs SELECT 'job ' || n, now() FROM generate_series(1, 1200) AS n RETURNING name`;
    const within = `-- counted\nWITH added AS (${insert}) SELECT name FROM added`;
    expect(await run(within, true)).toMatchObject({ command: 'SELECT', rowCount: 1200, truncated: true, wrote: true });
  });

  test('a cell of 20 MB is refused when it begins', async () => {
    const memoryBefore = process.memoryUsage().rss;
    // Larger ones, or one character 20 million times, take a busy machine the five seconds of a statement.
    const result = await run(`SELECT repeat(repeat('x', 10000), 2000) AS big`);
    expect(result).toMatchObject({ success: false });
    expect(result.error).toMatch(/more than 16 MB/);
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(150 * 1024 * 1024);
    expect((await lastAudit()).outcome).toMatch(/more than 16 MB/);
    await expectAlive();
  });

  test('rows count together, wherever the network cuts them; just under the limit they are shown', async () => {
    const rows = (mb: number) => `SELECT repeat('x', 99990) FROM generate_series(1, ${mb * 10})`;
    expect((await run(rows(18))).error).toMatch(/more than 16 MB/);
    const result = await run(rows(15));
    expect(result).toMatchObject({ success: true, rowCount: 150, truncated: true });
  });

  test('a long cell is shortened', async () => {
    const result = await run(`SELECT repeat('x', 20000) AS long`);
    expect(result.truncated).toBe(true);
    expect(String(result.data[0]?.long)).toMatch(/^x{10000}… \(20000 characters\)$/);
  });

  test('1 MB of SQL is refused before it reaches the database, 3 MB before it is read', async () => {
    const big = `SELECT 1 -- ${'x'.repeat(1_000_000)}`;
    expect(await run(big)).toMatchObject({
      success: false,
      error: 'Statements can be at most 100,000 characters long',
    });
    const line = await lastAudit();
    expect(line.detail).toMatch(/… \(1000012 characters\)$/);
    expect(line.detail.length).toBeLessThan(11_000);
    expect((await panel.post('/api/admin/execute-sql', { sqlQuery: 'x'.repeat(3_000_000) })).status).toBe(413);
    await expectAlive();
  });

  test('characters that PostgreSQL cannot hold', async () => {
    const nul = await panel.post('/api/admin/execute-sql', { sqlQuery: "SELECT '\u0000'" });
    expect(nul).toMatchObject({ status: 400, body: { error: 'invalid_text', field: 'sqlQuery' } });
    expect((await run("SELECT '\ud800' AS x")).success).toBeTypeOf('boolean');
    await expectAlive();
  });
});

test('cancelled by the browser: stopped at once and rolled back [R32]', async () => {
  const id = await insertProject(db);
  const gone = new AbortController();
  const sqlQuery = `WITH slept AS (SELECT pg_sleep(4)) UPDATE projects SET category = 'NFT' FROM slept WHERE id = ${id}`;
  const request = fetch(`${server.url}/api/admin/execute-sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: panel.admin.cookie, 'x-admin-token': panel.token },
    body: JSON.stringify({ sqlQuery }),
    signal: gone.signal,
  });
  await expect.poll(() => countRunning('WITH slept')).toBe(1);
  gone.abort();
  await expect(request).rejects.toThrow();
  await expect.poll(() => countRunning('WITH slept')).toBe(0);
  await expect
    .poll(
      async () =>
        (await lastAudit()).outcome.includes('cancelled') ||
        (await panel.get<AuditEntry[]>('/api/admin/audit?q=cancelled')).body.length > 0,
    )
    .toBe(true);
  const row = await db.selectFrom('projects').select('category').where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.category).toBe('DeFi');
});

test('a connection that breaks off is not called too slow [R32]', async () => {
  const proxy = await startSilentProxy(server.databaseUrl);
  const other = await startServer(server.databaseUrl, {
    env: { DATABASE_DIRECT_URL: proxy.through(server.databaseUrl) },
  });
  try {
    const behindProxy = await signInAsAdmin(other);
    const response = behindProxy.post<SqlResult>('/api/admin/execute-sql', { sqlQuery: 'SELECT pg_sleep(4)' });
    await expect.poll(() => countRunning('SELECT pg_sleep')).toBe(1);
    await proxy.end();
    const broken = /^The connection to the database broke off/;
    expect((await response).body).toMatchObject({ success: false, error: expect.stringMatching(broken) });
  } finally {
    await other.close();
    await proxy.end();
  }
});

test('nothing is committed without its line in the audit log [R32]', async () => {
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  const id = await insertProject(db);
  await owner.query(`ALTER TABLE audit_log ADD CONSTRAINT unwritten CHECK (detail NOT LIKE '%unwritten%')`);
  const sqlQuery = `UPDATE projects SET category = 'NFT' WHERE id = ${id} -- unwritten`;
  const { status } = await panel.post('/api/admin/execute-sql', { sqlQuery });
  await owner.query('ALTER TABLE audit_log DROP CONSTRAINT unwritten');
  await owner.end();
  expect(status).toBe(500);
  await expectAlive();
  const row = await db.selectFrom('projects').select('category').where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.category).toBe('DeFi');
});

test('a login that is not the console’s runs nothing, and says what to correct [R32]', async () => {
  const other = await startServer(server.databaseUrl, { env: { CONSOLE_DATABASE_URL: server.databaseUrl } });
  try {
    const foreign = await signInAsAdmin(other);
    const response = await foreign.post('/api/admin/execute-sql', { sqlQuery: 'DELETE FROM sessions' });
    expect(response).toMatchObject({
      status: 503,
      body: { error: 'console_unavailable', message: expect.stringMatching(/^CONSOLE_DATABASE_URL signs in as \w+, /) },
    });
    expect((await foreign.get('/api/admin/audit')).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('the audit log is append-only for the server’s own role, too [R32]', async () => {
  await run('SELECT 1');
  for (const change of [`UPDATE audit_log SET outcome = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
    await expect(server.services.pool.query(change)).rejects.toThrow(/append-only|permission denied/);
  }
});

test('it works for an ordinary owner of the database, and says what to do when the role is out of reach [R32]', async () => {
  const { migrate } = await import('#db/migrate.ts');
  const admin = new pg.Client({ connectionString: server.databaseUrl });
  await admin.connect();
  const name = `owner_${process.pid}_${Date.now()}`;
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' CREATEROLE`);
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
  const url = new URL(server.databaseUrl);
  url.username = name;
  url.password = 'secret';
  url.pathname = `/${name}`;
  await migrate(url.href);
  const other = await startServer(url.href);
  try {
    const ordinary = await signInAsAdmin(other);
    const ask = () =>
      ordinary.post<SqlResult>('/api/admin/execute-sql', { sqlQuery: 'SELECT count(*) AS n FROM projects' });
    // The role of this cluster belongs to another role: the owner may not set its password.
    const without = await ask();
    // Before version 16 CREATEROLE was enough for any role except superusers.
    const isOutOfReach = version >= 160_000;
    expect(without.status).toBe(isOutOfReach ? 503 : 200);
    const { message } = without.body as unknown as { message: string };
    expect(message).toMatch(isOutOfReach ? /CONSOLE_DATABASE_URL/ : /1 row/);
    await admin.query(`GRANT snapswipe_console TO ${name} WITH ADMIN OPTION`);
    expect(await ask()).toMatchObject({ status: 200, body: { success: true, data: [{ n: 0 }] } });
    for (const forbidden of [
      'SELECT * FROM sessions',
      'DROP TABLE users',
      'CREATE TABLE x (a int)',
      'CREATE TEMP TABLE x (a int)',
      'SELECT * FROM audit_log',
    ]) {
      const response = await ordinary.post<SqlResult>('/api/admin/execute-sql', { sqlQuery: forbidden });
      expect(response).toMatchObject({ status: 200, body: { success: false } });
    }
    for (const change of [`UPDATE audit_log SET outcome = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(other.services.pool.query(change)).rejects.toThrow(/permission denied/);
  } finally {
    await other.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.query(`DROP OWNED BY ${name} CASCADE`);
    await admin.query(`DROP ROLE ${name}`);
    await admin.end();
  }
});
