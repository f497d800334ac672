import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from './binaries.ts';
import { serverProcesses } from './orphans.ts';
import { chooseUser } from './user.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded.ts';

const IS_ROOT = process.getuid?.() === 0;

// mkdtemp makes it mode 700: as root, PostgreSQL's user may not walk down to the data, as in a clone below /root.
let home: string;
let dataDir: string;
const owners: ChildProcess[] = [];
const databases: EmbeddedPostgres[] = [];

/** A stopped cluster, made once: initdb takes longer than most of these tests. */
let made: string;
beforeAll(async () => {
  made = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-embedded-'));
  const database = await startEmbeddedPostgres({ dataDir: made, durable: false });
  await database.stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));
async function copyMade(): Promise<void> {
  await mkdir(path.dirname(dataDir), { recursive: true });
  await promisify(execFile)('cp', ['-a', made, dataDir]);
  await rm(path.join(dataDir, 'port'));
}

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-embedded-'));
  dataDir = path.join(home, 'data', 'postgres');
});

afterEach(async () => {
  for (const owner of owners.splice(0)) await kill(owner);
  for (const database of databases.splice(0)) await database.stop();
  for (const pid of await runningServers()) process.kill(pid, 'SIGKILL');
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, ...options });
  databases.push(database);
  return database;
}

interface OwnerMessage {
  url: string;
  pid: number;
  error?: string;
}

function forkOwner(): ChildProcess {
  const owner = fork(fileURLToPath(new URL('embedded.fixture.ts', import.meta.url)), [dataDir], { execArgv: [] });
  owners.push(owner);
  return owner;
}

async function startOwner(): Promise<OwnerMessage & { process: ChildProcess }> {
  const owner = forkOwner();
  const [message] = (await once(owner, 'message')) as [OwnerMessage];
  return { ...message, process: owner };
}

async function kill(owner: ChildProcess): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  const exit = once(owner, 'exit');
  owner.kill('SIGKILL');
  await exit;
}

async function runningServers(): Promise<number[]> {
  const cluster = path.join(dataDir, 'cluster');
  const exists = await stat(cluster).catch(() => undefined);
  return exists === undefined ? [] : serverProcesses(cluster, await chooseUser(cluster));
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

describe('an ordinary life cycle', () => {
  beforeEach(copyMade);

  it('an embedded database is created, stops, and finds its rows and its port again', async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE kept (name text); INSERT INTO kept VALUES ('Ünï')");
    await first.stop();
    expect(await runningServers()).toEqual([]);

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT lower(name) AS name FROM kept')).toEqual([{ name: 'ünï' }]);
  });

  it('an embedded database listens on loopback only, without a unix socket, and rejects clients without the password', async () => {
    const { url, port } = await start({ durable: false });
    const shown = await query(
      url,
      "SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'unix_socket_directories') ORDER BY name",
    );
    expect(shown.map((row) => row.setting)).toEqual(['127.0.0.1', '']);
    await expect(query(`postgresql://snapswipe:wrong@127.0.0.1:${port}/snapswipe`, 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    );
    expect((await stat(path.join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('an embedded database takes another port when its last one is in use, and reports a given one that is', async () => {
    const first = await start({ durable: false });
    await first.stop();
    const rival = net.createServer().listen(first.port, '127.0.0.1');
    await once(rival, 'listening');
    try {
      await expect(start({ port: first.port })).rejects.toThrow(`Port ${first.port} for the database is in use`);
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      rival.close();
    }
  });
});

describe.skipIf(!IS_ROOT)('started as root', () => {
  it('PostgreSQL runs as another user below a folder of mode 700', async () => {
    await chmod(home, 0o700);
    const { url, pid } = await start({ durable: false });
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).toBeGreaterThan(0);
    expect((await stat(path.join(dataDir, 'cluster'))).uid).toBeGreaterThan(0);
  });

  it('PostgreSQL runs from a copy where its user cannot reach the programs, and rejects a copy that others can write', async () => {
    const user = await chooseUser(path.join(dataDir, 'cluster'));
    const installed = await findBinaries(undefined);
    const hidden = path.join(home, 'package');
    await cp(path.join(path.dirname(installed.postgres), '..', '..'), hidden, { recursive: true });
    const cache = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-cache-'));
    await chmod(cache, 0o755);
    try {
      const copied = await findBinaries(user, hidden, [cache]);
      expect(copied.postgres.startsWith(cache)).toBe(true);
      const [name] = await readdir(cache);
      const madeAtMs = (await stat(path.join(cache, name ?? ''))).ctimeMs;

      expect(await findBinaries(user, hidden, [cache])).toEqual(copied);
      expect((await stat(path.join(cache, name ?? ''))).ctimeMs).toBe(madeAtMs);

      await chmod(copied.postgres, 0o777);
      await writeFile(copied.postgres, '#!/bin/sh\necho foreign\n');
      expect(await findBinaries(user, hidden, [cache])).toEqual(copied);
      expect((await stat(copied.postgres)).mode & 0o022).toBe(0);
      expect((await stat(copied.postgres)).size).toBe((await stat(installed.postgres)).size);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });
});

describe('after a kill', () => {
  beforeEach(copyMade);

  it('every committed row survives two SIGKILLs of the owner in a row', async () => {
    for (let round = 0; round < 2; round++) {
      const owner = await startOwner();
      if (round === 0) await query(owner.url, 'CREATE TABLE kept (round int)');
      const rows = await query(owner.url, 'SELECT round FROM kept ORDER BY round');
      expect(rows.map((row) => row.round)).toEqual(Array.from({ length: round }, (_, index) => index));
      await query(owner.url, `INSERT INTO kept VALUES (${round})`);
      await kill(owner.process);
      expect(isAlive(owner.pid)).toBe(true);
    }
    const { url } = await start();
    expect(await query(url, 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 2 }]);
  });

  it('a database whose owner was killed stops when it is not started again', async () => {
    const owner = await startOwner();
    await kill(owner.process);
    await waitFor(async () => (await runningServers()).length === 0);
    expect(await stat(path.join(dataDir, 'cluster', 'postmaster.pid')).catch(() => undefined)).toBeUndefined();
  });

  it('a database recovers from a SIGKILL of PostgreSQL itself, with a busy backend left over', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const busy = query(first.url, 'SELECT count(*) FROM generate_series(1, 100000000000)').catch(() => undefined);
    await waitFor(async () => {
      const active = await query(
        first.url,
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM gen%'",
      );
      return active.length > 0;
    });
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await first.stop();
    expect((await runningServers()).length).toBeGreaterThan(0);

    const second = await start();
    expect(await query(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await busy;
  });

  it('an embedded database leaves a foreign process alone that has the id of a stale pid file', async () => {
    const first = await start({ durable: false });
    await first.stop();
    const cluster = path.join(dataDir, 'cluster');
    const foreign = spawn('sleep', ['600'], { ...(await chooseUser(cluster)), stdio: 'ignore' });
    await once(foreign, 'spawn');
    try {
      await writeFile(
        path.join(cluster, 'postmaster.pid'),
        `${foreign.pid}\n${cluster}\n1700000000\n${first.port}\n\n\n`,
      );
      const second = await start();
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(isAlive(foreign.pid ?? 0)).toBe(true);
    } finally {
      foreign.kill('SIGKILL');
    }
  });
});

it('an embedded database starts after being killed in the middle of creating the cluster', async () => {
  for (const delayMs of [0, 300]) {
    const owner = forkOwner();
    await waitFor(async () => (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('cluster.')));
    // Not a wait for a result: the kill hits different moments of initdb's work on purpose.
    await sleep(delayMs);
    await kill(owner);
    await rm(path.join(dataDir, 'cluster'), { recursive: true, force: true });
  }
  const { url } = await start();
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('cluster'))).toEqual(['cluster']);
});

describe('two starts on one folder', () => {
  beforeEach(copyMade);

  it('exactly one of two simultaneous starts of an embedded database succeeds', async () => {
    const results = await Promise.allSettled([start({ durable: false }), start({ durable: false })]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [one, other] = await Promise.all([startOwner(), startOwner()]);
    expect(one.error).toContain('already running');
    expect(other.error).toContain('already running');
  });
});

describe('a folder with an unusual name', () => {
  const long = (parts: number): string => Array.from({ length: parts }, () => 'l'.repeat(200)).join('/');
  it.each(['$HOME', 'it\'s "my" `code` \\ site', 'two\nlines', 'leerzeichen äöü 日本語', long(2), '-D x;exit 1'])(
    'a database is created and started in a folder named %j',
    async (name) => {
      dataDir = path.join(home, name, 'data', 'postgres');
      const first = await start({ durable: false });
      await first.stop();
      const second = await start({ durable: false });
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  it('PostgreSQL runs from a copy where initdb could not start the programs of the package by their path', async () => {
    const installed = await findBinaries(undefined);
    const cache = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-cache-'));
    await chmod(cache, 0o755);
    try {
      for (const name of ['$HOME', 'a"b', 'a`b`', 'a\\b', 'two\nlines', long(6)]) {
        const folder = path.join(home, name, 'package');
        await mkdir(path.dirname(folder), { recursive: true });
        await symlink(path.join(path.dirname(installed.postgres), '..', '..'), folder);
        const found = await findBinaries(undefined, folder, [path.join(home, name), cache]);
        expect([name, found.postgres.startsWith(cache)]).toEqual([name, true]);
      }
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });
});
