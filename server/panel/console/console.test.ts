import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { AuditEntry, SqlResult } from '#shared/contract/admin.ts';
import { QUICK_QUERIES } from '#shared/site/quick-queries.ts';
import { isReservedSlug } from '#shared/site/reserved-slugs.ts';
import { startServer } from '#lab/testing/app.ts';
import { insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { openConsole } from '#lab/testing/console.ts';

const { server, db, panel, version, run, lastAudit, countRunning, expectAlive } = await openConsole();

describe('the console [S7.24 S3.12 R32]', () => {
  test('the console returns rows as objects, with columns in order and typed numbers', async () => {
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

  test('rejects an empty statement as No Query [S5.7]', async () => {
    for (const nothing of ['', '   ', '\n\t'])
      expect(await run(nothing)).toMatchObject({ success: false, error: 'No Query' });
    expect(await run('-- only a comment')).toMatchObject({ success: true, data: [], rowCount: null });
  });

  test('a deferred constraint fails the statement before the commit, and in a dry run', async () => {
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
});

describe('the quick queries work [S2.40 R32]', () => {
  test.each(QUICK_QUERIES.map((query) => [query.label, query.sql]))('%s', async (_label, sqlQuery) => {
    await insertProject(db, { expiresInDays: -2 });
    expect(await run(sqlQuery, true)).toMatchObject({ success: true, error: null });
  });

  test("'fix slugs and renew all' gives each project a unique slug and 31 more days", async () => {
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
    // The address that the first would get is one that another had.
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

describe('size [R32]', () => {
  test('ten million rows return the first thousand without loading the rest', async () => {
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

  test('exactly a thousand rows are not marked as truncated', async () => {
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

  test('rejects a cell of 20 MB before it is read', async () => {
    const memoryBefore = process.memoryUsage().rss;
    // Larger ones, or one character 20 million times, take a busy machine the five seconds of a statement.
    const result = await run(`SELECT repeat(repeat('x', 10000), 2000) AS big`);
    expect(result).toMatchObject({ success: false });
    expect(result.error).toMatch(/more than 16 MB/);
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(150 * 1024 * 1024);
    expect((await lastAudit()).outcome).toMatch(/more than 16 MB/);
    await expectAlive();
  });

  test('shortens a long cell', async () => {
    const result = await run(`SELECT repeat('x', 20000) AS long`);
    expect(result.truncated).toBe(true);
    expect(String(result.data[0]?.long)).toMatch(/^x{10000}… \(20000 characters\)$/);
  });

  test('rejects 1 MB of SQL before the database sees it, and 3 MB before it is read', async () => {
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

  test('rejects characters that PostgreSQL cannot store', async () => {
    const nul = await panel.post('/api/admin/execute-sql', { sqlQuery: "SELECT '\u0000'" });
    expect(nul).toMatchObject({ status: 400, body: { error: 'invalid_text', field: 'sqlQuery' } });
    expect((await run("SELECT '\ud800' AS x")).success).toBeTypeOf('boolean');
    await expectAlive();
  });
});

test('a statement that the browser cancels stops at once and is rolled back [R32]', async () => {
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

test('a login other than the console’s runs nothing and names the correction [R32]', async () => {
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

test('the console works for an ordinary database owner and explains a missing role [R32]', async () => {
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
    // The role of this cluster belongs to another role: the owner may not give it a password.
    const without = await ask();
    // Before version 16 CREATEROLE was enough for any role except a superuser.
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
