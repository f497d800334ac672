import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestDatabase, type TestDatabase } from '#lab/testing/app.ts';
import { insertProjects } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { freePort } from '../process/free-port.ts';
import { inheritedEnv } from '../process/inherited-env.ts';
import { ROOT } from '../process/report.ts';
import { readWorkers } from './workers.ts';

const WAIT = { timeout: 30_000, interval: 50 };

let created: TestDatabase;
let database: Database;
beforeAll(async () => {
  created = await createTestDatabase();
  database = openDatabase(created.url, { maxConnections: 4 });
  return async () => {
    await database.close();
    await created.drop();
  };
});

interface Running {
  child: ChildProcess;
  url: string;
  /** Output so far. */
  said: () => string;
  /** Exit code, or the signal. */
  exited: Promise<number | string | null>;
}

let started: Running[] = [];
afterEach(() => {
  for (const { child } of started) child.kill('SIGKILL');
  started = [];
});

function launch(args: string[], env: Record<string, string> = {}): Running {
  const child = fork(path.join(ROOT, 'ops/serve/workers.fixture.ts'), args, {
    execArgv: [],
    env: {
      ...inheritedEnv(),
      NODE_ENV: 'development',
      PORT: '0',
      PUBLIC_ORIGIN: 'http://snapswipe.test',
      LOG_LEVEL: 'error',
      DATABASE_URL: created.url,
      DATABASE_POOL: '4',
      SUI_NETWORK: 'localnet',
      SUI_RPC_URL: inject('rpcUrl'),
      ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
      ADMIN_PASSWORD: 'correct horse battery staple',
      RATE_LIMIT_FACTOR: '1000',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let text = '';
  child.stderr?.on('data', (data: Buffer) => (text += data.toString()));
  const exited = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const running = { child, url: '', said: () => text, exited };
  started.push(running);
  return running;
}

async function serve(args: string[], env?: Record<string, string>): Promise<Running> {
  const running = launch(args, env);
  const ready = new Promise<{ url: string }>((resolve) => {
    running.child.once('message', (message) => resolve(message as { url: string }));
  });
  const first = await Promise.race([ready, running.exited]);
  if (first === null || typeof first !== 'object') throw new Error(`it ended with ${first}: ${running.said()}`);
  return Object.assign(running, first);
}

const pidOf = ({ child }: Running): number => child.pid ?? 0;
const workersOf = (running: Running): number[] => {
  try {
    const text = execFileSync('pgrep', ['-P', String(pidOf(running))], { encoding: 'utf8' });
    return text.trim().split('\n').map(Number);
  } catch {
    return [];
  }
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A request on a new connection, so that any worker may get it: its status, or the code of the error. */
const ask = (url: string): Promise<number | string> =>
  fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
    (response) => response.status,
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );

test('two processes serve one port; one that is killed under votes is replaced, no request is refused, and the books add up', async () => {
  const running = await serve(['--workers', '2']);
  const before = workersOf(running);
  expect(before).toHaveLength(2);
  const projects = await insertProjects(database.db, 25);
  const users = await Promise.all(Array.from({ length: 6 }, () => newUser(running)));

  const probing = new AbortController();
  const probes: Array<number | string> = [];
  const probe = async (): Promise<void> => {
    while (!probing.signal.aborted) probes.push(await ask(running.url));
  };
  const prober = probe();
  /** Votes until the vote is counted; a request that is cut off is sent again, as the page does. */
  const vote = async (user: (typeof users)[number], projectId: number): Promise<number> => {
    const reply = await user
      .post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' })
      .catch(() => ({ status: 0 }));
    return reply.status === 0 || reply.status >= 500 ? vote(user, projectId) : reply.status;
  };
  const voting = users.map(async (user) => {
    const statuses: number[] = [];
    for (const [index, projectId] of projects.entries()) {
      if (user === users[0] && index === 5) process.kill(before[0] ?? 0, 'SIGKILL');
      statuses.push(await vote(user, projectId));
    }
    return statuses;
  });
  const statuses = (await Promise.all(voting)).flat();
  // 409: the vote was counted, and the response was lost with the process.
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);

  await vi.waitFor(() => expect(running.said()).toMatch(/^A worker is ready again, pid \d+$/m), WAIT);
  probing.abort();
  await prober;
  expect(running.said()).toContain(`A worker ended (SIGKILL), pid ${before[0]}; starting another in 0.5 s`);
  const after = workersOf(running);
  expect(after).toHaveLength(2);
  expect(after).toContain(before[1]);
  // Only requests of the killed process can be lost: the one that it was handling, and one that entered its queue
  // before the kernel closed that.
  expect(probes.filter((reply) => reply !== 200 && reply !== 'ECONNRESET' && reply !== 'UND_ERR_SOCKET')).toEqual([]);
  expect(probes.filter((reply) => reply !== 200).length).toBeLessThanOrEqual(2);
  for (let each = 0; each < 6; each += 1) expect(await ask(running.url)).toBe(200);

  const { count } = await database.db
    .selectFrom('votes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(
      'userId',
      'in',
      users.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow();
  expect(count).toBe(users.length * projects.length);
  expect(await findDifferences(database.db)).toEqual([]);
});

test('two processes divide the limit of writes by address between them', async () => {
  const running = await serve(['--workers', '2'], { RATE_LIMIT_FACTOR: '0.0066', TRUST_PROXY: '1' });
  // Each on a new connection, which the kernel assigns to either process: 60 reach the share of both, one write at once.
  const write = async (): Promise<number> =>
    (
      await fetch(`${running.url}/api/votes`, {
        method: 'POST',
        headers: { connection: 'close', 'x-forwarded-for': '203.0.113.1' },
      })
    ).status;
  const statuses = await Promise.all(Array.from({ length: 60 }, write));
  expect(statuses.filter((status) => status !== 429)).toHaveLength(2);
});

test('a scrape of either process covers both, and no count is lost when one of them ends', async () => {
  const metricsPort = await freePort();
  const METRICS = { METRICS_PORT: String(metricsPort), METRICS_TOKEN: 'of-the-metrics-alone' };
  const running = await serve(['--workers', '2'], METRICS);
  const get = (url: string) =>
    fetch(url, { headers: { connection: 'close', authorization: `Bearer ${METRICS.METRICS_TOKEN}` } });
  const value = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    );
  const OPENED = 'snapswipe_http_requests_total{method="GET",route="/healthz",status="200"}';
  const scrape = async (url: string): Promise<Array<number>> => {
    const text = await (await get(`${url}/metrics`)).text();
    return [value(text, OPENED), value(text, 'snapswipe_processes')];
  };
  const doors = [running.url, `http://127.0.0.1:${metricsPort}`];

  for (let each = 0; each < 20; each += 1) await get(`${running.url}/healthz`);
  for (let each = 0; each < 6; each += 1)
    expect(await Promise.all(doors.map(scrape))).toEqual([
      [20, 2],
      [20, 2],
    ]);
  process.kill(workersOf(running)[0] ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(running.said()).toMatch(/^A worker is ready again, pid \d+$/m), WAIT);
  for (let each = 0; each < 6; each += 1)
    expect(await Promise.all(doors.map(scrape))).toEqual([
      [20, 2],
      [20, 2],
    ]);
  // A process that ends normally reports its counts since the last scrape.
  for (let each = 0; each < 5; each += 1) await get(`${running.url}/healthz`);
  process.kill(workersOf(running)[0] ?? 0, 'SIGTERM');
  await vi.waitFor(() => expect(running.said().match(/^A worker is ready again/gm)).toHaveLength(2), WAIT);
  expect(await Promise.all(doors.map(scrape))).toEqual([
    [25, 2],
    [25, 2],
  ]);
});

/** Has all processes replaced, with these settings; returns the result. */
async function upgrade({ child }: Running, settings: Record<string, string> = {}): Promise<unknown> {
  const result = once(child, 'message');
  child.send(settings);
  child.kill('SIGHUP');
  return ((await result) as unknown[])[0];
}

/**
 * A connection that stays open and idle between requests: the status and the connection header of the response, or an
 * error's code.
 */
function keepOpen(url: string): { ask: () => Promise<string>; end: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (resolve: (outcome: string) => void): void => {
    const sent = request(`${url}/api/nothing`, { method: 'POST', agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end('{}');
  };
  return { ask: () => new Promise(send), end: () => agent.destroy() };
}

describe('an upgrade', () => {
  test.each([1, 2])(
    'an upgrade replaces each of %i processes without a failed request: on new, idle and busy connections',
    async (count) => {
      const running = await serve(['--workers', String(count)]);
      const before = workersOf(running);
      const projects = await insertProjects(database.db, 25);
      const users = await Promise.all(Array.from({ length: 4 }, () => newUser(running)));
      const idle = Array.from({ length: 12 }, () => keepOpen(running.url));
      const all = () => Promise.all(idle.map(({ ask: send }) => send()));
      expect(new Set(await all())).toEqual(new Set(['404 keep-alive']));

      const probing = new AbortController();
      const replies: Array<number | string> = [];
      const probe = async (): Promise<void> => {
        while (!probing.signal.aborted) replies.push(await ask(running.url));
      };
      const probes = Array.from({ length: 6 }, probe);
      const voting = users.map(async (user) => {
        for (const projectId of projects)
          replies.push((await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' })).status);
      });
      expect(await upgrade(running, { PUBLIC_ORIGIN: 'http://second.test' })).toEqual({ replaced: true });
      // Sent to replaced processes: each responds, and closes the connection with the response.
      expect(new Set(await all())).toEqual(new Set(['404 close']));
      await Promise.all(voting);
      probing.abort();
      await Promise.all(probes);
      expect(new Set(replies)).toEqual(new Set([200]));

      const { servers } = (await (await fetch(`${running.url}/api/openapi.json`)).json()) as { servers: unknown };
      expect(servers).toEqual([{ url: 'http://second.test' }]);
      expect(workersOf(running).filter((pid) => !before.includes(pid)).length).toBeGreaterThanOrEqual(count);
      expect(await findDifferences(database.db)).toEqual([]);
      for (const { end } of idle) end();
      const workers = workersOf(running);
      running.child.kill('SIGTERM');
      expect(await running.exited).toBe(0);
      expect([...before, ...workers].filter(isAlive)).toEqual([]);
      expect(running.said()).toBe('');
    },
  );

  test('an upgrade changes nothing while the new process does not start, and succeeds once it does', async () => {
    const running = await serve([]);
    const before = workersOf(running);
    expect(await upgrade(running, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })).toHaveProperty('failed');
    expect(running.said()).toMatch(/^snapswipe: cannot reach the database of DATABASE_URL: .*\n$/);
    expect(workersOf(running)).toEqual(before);
    expect(await ask(running.url)).toBe(200);
    expect(await upgrade(running, { DATABASE_URL: created.url })).toEqual({ replaced: true });
    expect(await ask(running.url)).toBe(200);
  });
});

describe('stopping the workers', () => {
  test('SIGTERM finishes open requests, ends every process, and exits with 0', async () => {
    const running = await serve(['--workers', '2']);
    const workers = workersOf(running);
    const [projectId = 0] = await insertProjects(database.db, 1);
    const user = await newUser(running);
    const locker = await database.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM user_stats WHERE user_id = $1 FOR UPDATE', [user.id]);
    const vote = user.post('/api/votes', { userId: user.id, projectId, voteType: 'bearish' });
    await vi.waitFor(async () => {
      const waiting = await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      expect(waiting.rowCount).toBe(1);
    }, WAIT);
    running.child.kill('SIGTERM');
    // The other process has nothing to finish.
    await vi.waitFor(() => expect(workers.filter(isAlive)).toHaveLength(1), WAIT);
    await locker.query('ROLLBACK');
    locker.release();
    expect((await vote).status).toBe(200);
    expect(await running.exited).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(running.said()).toBe('');
  });

  test('a killed parent leaves no process behind', async () => {
    const running = await serve(['--workers', '2']);
    const workers = workersOf(running);
    expect(workers).toHaveLength(2);
    running.child.kill('SIGKILL');
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), WAIT);
  });
});

test('a server that finds its port taken prints one line, and exits with code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const running = launch(['--workers', '2'], { PORT: String((other.address() as AddressInfo).port) });
  expect(await running.exited).toBe(1);
  other.close();
  expect(running.said()).toMatch(/^snapswipe: port \d+ is in use; set PORT to another one\n$/);
});

test('the number of workers is one by default, and must be a whole number from 1 to 64', () => {
  expect(readWorkers([])).toBe(1);
  expect(readWorkers(['--workers', '4'])).toBe(4);
  expect(readWorkers(['--workers=64'])).toBe(64);
  for (const wrong of ['', '0', '-1', '65', '1.5', 'two', '0x2', '99999'])
    expect(() => readWorkers(['--workers', wrong])).toThrow('--workers takes a whole number from 1 to 64');
  expect(() => readWorkers(['--workers'])).toThrow('--workers takes a whole number');
  for (const args of [['--worker', '2'], ['2'], ['--workers', '2', '3']])
    expect(() => readWorkers(args)).toThrow('is not known here: the one option is --workers N.');
});
