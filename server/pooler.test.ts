import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { SqlResult } from '#shared/contract/admin.ts';
import { openDatabase } from '#db/client.ts';
import { keepSessionSettings } from '#db/session-settings.ts';
import { findDifferences } from './money/ledger/check-invariants.ts';
import { jobs } from './jobs.ts';
import { type Job, runOnce } from './kit/scheduler.ts';
import { createTestDatabase, startServer, type TestApp, type TestDatabase } from '#lab/testing/app.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '#lab/testing/pgbouncer.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const POOL_SIZE = 5;

const at = ({ url }: TestApp, { cookie, id, address, wallet }: TestUser): TestUser =>
  Object.assign(new Client(url), { cookie, id, address, wallet });
const vote = (user: TestUser, projectId: number) =>
  user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });

// Left out where Debian's package pgbouncer is not installed; `npm run test:all` installs it where it can.
describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let pooledUrl: string;
  let servers: [TestApp, TestApp];

  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await startPgBouncer(inject('databaseUrl'), POOL_SIZE);
    pooledUrl = bouncer.through(database.url);
    await keepSessionSettings(database.url);
    const start = () => startServer(pooledUrl, { env: { DATABASE_DIRECT_URL: database.url } });
    servers = [await start(), await start()];
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await bouncer.end();
    await database.drop();
  });

  test('behind PgBouncer, statements have their time limit from the login; as a start-up parameter it would be refused', async () => {
    const { rows } = await servers[0].services.pool.query<{ statement_timeout: string }>('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '15s' }]);
    const direct = openDatabase(pooledUrl);
    await expect(direct.pool.query('SELECT 1')).rejects.toThrow('unsupported startup parameter: statement_timeout');
    await direct.close();
    // Set by the administrator, also to none, it stays.
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const role = `ALTER ROLE ${admin.escapeIdentifier(admin.user ?? '')} IN DATABASE ${admin.escapeIdentifier(admin.database ?? '')}`;
    await admin.query(`${role} SET statement_timeout = 0`);
    await keepSessionSettings(database.url);
    const fresh = new pg.Client({ connectionString: database.url });
    await fresh.connect();
    expect((await fresh.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
    await fresh.end();
    await admin.query(`${role} SET statement_timeout = '15s'`);
    await admin.end();
  });

  test('behind PgBouncer, people sign in and vote on two servers at once; every vote counts once, and the books add up', async () => {
    const { db } = servers[0].services;
    const projects = await insertProjects(db, 25);
    const users = await Promise.all(Array.from({ length: 10 }, (_, index) => newUser(servers[index % 2 ? 0 : 1])));
    // Each vote is sent to both servers at once: one counts it, the other says that it is counted.
    const statuses = await Promise.all(
      users.map(async (user) => {
        const found: string[] = [];
        for (const projectId of projects) {
          const both = await Promise.all(servers.map((server) => vote(at(server, user), projectId)));
          found.push(
            both
              .map(({ status }) => status)
              .sort((one, other) => one - other)
              .join(' '),
          );
        }
        return found;
      }),
    );
    expect(new Set(statuses.flat())).toEqual(new Set(['200 409']));
    // The window is full now, at every server.
    const more = await insertProject(db);
    for (const server of servers) expect((await vote(at(server, users[0] as TestUser), more)).status).toBe(429);
    expect(await findDifferences(db)).toEqual([]);
    // Both together have up to 20 connections to PgBouncer, and these to PostgreSQL.
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const { rows } = await admin.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'snapswipe' AND datname = current_database()`,
    );
    await admin.end();
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(POOL_SIZE);
  });

  test("behind PgBouncer, migrations go to the database directly, and set the login's time limit", async () => {
    const name = `test_migrate_${randomBytes(6).toString('hex')}`;
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    const direct = new URL(database.url);
    direct.pathname = `/${name}`;
    try {
      const env = {
        PATH: process.env['PATH'],
        DATABASE_URL: bouncer.through(direct.href),
        DATABASE_DIRECT_URL: direct.href,
      };
      const tasks = [1, 2].map(() => fork(path.resolve('scripts/migrate.ts'), { env, execArgv: [], silent: true }));
      // Two at once, as of two servers that start together.
      const codes = await Promise.all(tasks.map(async (task) => (await once(task, 'exit'))[0] as number));
      expect(codes).toEqual([0, 0]);
      const pooled = openDatabase(env.DATABASE_URL, { isPooled: true });
      expect((await pooled.pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '15s' }]);
      expect((await pooled.pool.query('SELECT 1 FROM schema_migrations')).rowCount).toBeGreaterThan(5);
      await pooled.close();
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    }
  });

  test("behind PgBouncer, one server's writes reach the other, whose cache is on and up to date", async () => {
    const user = await newUser(servers[0]);
    const there = at(servers[1], user);
    const [one = 0, two = 0] = await insertProjects(servers[0].services.db, 2);
    const votes = async () => (await there.get<{ totalVotes: number }>(`/api/users/${user.id}/stats`)).body.totalVotes;
    await vote(user, one);
    await vi.waitFor(async () => expect(await votes()).toBe(1), WAIT);
    // Cached: the response needs no query.
    const asked = vi.spyOn(servers[1].services.pool, 'connect');
    await vi.waitFor(async () => {
      asked.mockClear();
      expect(await votes()).toBe(1);
      expect(asked).not.toHaveBeenCalled();
    }, WAIT);
    await vote(user, two);
    await vi.waitFor(async () => expect(await votes()).toBe(2), WAIT);
  });

  test('behind PgBouncer, jobs run once among the servers, and a lock ends with its server', async () => {
    const run = vi.fn<() => Promise<void>>(async () => undefined);
    const job = (name: string, work: Job['run'], intervalMs: number): Job => ({ name, intervalMs, run: work });
    const ran = await Promise.all(
      Array.from({ length: 6 }, (_, index) => runOnce(servers[index % 2 ? 0 : 1].services, job('shared', run, 60_000))),
    );
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(run).toHaveBeenCalledTimes(1);
    for (const each of jobs) await runOnce(servers[0].services, each);

    // A server that dies in the middle of a job: its connections end without a word.
    const dying = openDatabase(pooledUrl, { isPooled: true });
    const sockets = new Set<{ destroy(): void }>();
    dying.pool.on('connect', (client) => {
      sockets.add((client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream);
      client.on('error', () => undefined);
    });
    const endless = runOnce(
      { ...servers[0].services, db: dying.db },
      job('long', () => new Promise(() => undefined), 0),
    );
    endless.catch(() => undefined);
    const again = () => runOnce(servers[1].services, job('long', run, 0));
    await vi.waitFor(async () => {
      const rows = await servers[1].services.db
        .selectFrom('jobRuns')
        .select('name')
        .where('name', '=', 'long')
        .execute();
      expect(rows).toHaveLength(1);
    }, WAIT);
    expect(await again()).toBe(false);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect(await again()).toBe(true), WAIT);
  });

  test('behind PgBouncer, the SQL console has its login, its transaction and its rollback [R32]', async () => {
    const panel = await signInAsAdmin(servers[0]);
    const id = await insertProject(servers[0].services.db);
    const execute = async (sqlQuery: string, dryRun = false): Promise<SqlResult> =>
      (await panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery, dryRun })).body;
    expect(await execute('SELECT current_user AS who')).toMatchObject({ data: [{ who: 'snapswipe_console' }] });
    const change = `UPDATE projects SET category = 'DAO' WHERE id = ${id} RETURNING category`;
    expect(await execute(change, true)).toMatchObject({ success: true, rowCount: 1 });
    const categories = `SELECT category FROM projects WHERE id = ${id}`;
    expect(await execute(categories)).toMatchObject({ data: [{ category: 'DeFi' }] });
    expect(await execute(change)).toMatchObject({ success: true });
    expect(await execute(categories)).toMatchObject({ data: [{ category: 'DAO' }] });
  });

  test('while PgBouncer is down requests fail with a clear error; when it is back everything continues', async () => {
    const [server] = servers;
    const user = await newUser(server);
    const projectId = await insertProject(server.services.db);
    await bouncer.stop();
    expect((await user.get('/readyz')).status).toBe(503);
    expect((await vote(user, projectId)).status).toBe(503);
    await bouncer.start();
    await vi.waitFor(async () => expect((await user.get('/readyz')).status).toBe(200), WAIT);
    expect((await vote(user, projectId)).status).toBe(200);
  });
});
