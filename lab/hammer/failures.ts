import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { ChainProxy } from '../testing/chain-proxy.ts';
import type { Stack } from './stack.ts';

/** Waits, but not longer than the attack lasts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** A failure that takes long to occur lasts this long from then on, however short the attack. */
const LEAST_MS = 1_000;

/** Cut by the watchdog after some six seconds, in which votes wait. The admin caused it, so the wait has no limit. */
const consoleLock: Attack<Stack> = {
  name: 'console DO block that holds user_stats',
  async run({ hit, admin }) {
    const sqlQuery = `DO $$BEGIN LOCK TABLE user_stats IN ACCESS EXCLUSIVE MODE; BEGIN PERFORM pg_sleep(60);
      EXCEPTION WHEN query_canceled THEN PERFORM pg_sleep(60); END; END$$`;
    const startedAtMs = performance.now();
    const status = await hit('POST', '/api/admin/execute-sql', {
      body: JSON.stringify({ sqlQuery, dryRun: true }),
      headers: admin,
      server: 0,
    });
    return `${status} after ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`;
  },
};

const serverKills: Attack<Stack> = {
  name: 'SIGKILL of one server after the other',
  async run({ stack }, signal) {
    let kills = 0;
    do {
      const server = stack.servers[kills % 2 === 0 ? 0 : 1];
      await server.kill();
      await server.start();
      kills += 1;
      await pause(500, signal);
    } while (kills < stack.servers.length || !signal.aborted);
    return `${kills} kills`;
  },
};

const databaseKill: Attack<Stack> = {
  name: 'SIGKILL of the database',
  async run({ stack: { database } }) {
    await database.kill();
    await database.start();
    return 'started again';
  },
};

const databaseRestart: Attack<Stack> = {
  name: 'restart of the database',
  async run({ stack: { database } }) {
    await database.stop();
    await database.start();
    return 'started again';
  },
};

const SLOW_MS = 3_000;

const chain = (name: string, fail: (proxy: ChainProxy) => void): Attack<Stack> => ({
  name,
  async run({ stack }, signal) {
    fail(stack.chain);
    while (!signal.aborted) await pause(1_000, signal);
    stack.chain.heal();
    stack.chain.delayMs = 0;
    return '';
  },
});

async function fill(folder: string): Promise<string> {
  const file = path.join(folder, 'filler');
  const handle = await open(file, 'w');
  const block = Buffer.alloc(2 ** 20);
  try {
    for (;;) await handle.write(block);
  } catch {
    // The disk is full, as intended.
  } finally {
    await handle.close();
  }
  return file;
}

const fullDisk: Attack<Stack> = {
  name: 'a full disk under the database',
  lacks: ({ diskFolder }) => (diskFolder === null ? 'no tmpfs can be mounted here' : null),
  async run({ stack: { database, diskFolder } }, signal) {
    if (diskFolder === null) throw new Error('there is no disk to fill');
    const file = await fill(diskFolder);
    const { bavail } = await statfs(diskFolder);
    await Promise.all([pause(4_000, signal), sleep(LEAST_MS)]);
    await rm(file, { force: true });
    // Without room for its log PostgreSQL stops, as it should.
    await sleep(1_000);
    const ended = await database.ensureRunning();
    return `${bavail} blocks free; PostgreSQL ${ended ? 'ended and was started again' : 'went on'}`;
  },
};

/** Path of Debian's package libfaketime. */
const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
const HOUR_MS = 3_600_000;

/** How far the clock of a server is ahead of ours. */
async function aheadMs(url: string): Promise<number> {
  const response = await fetch(`${url}/healthz`);
  return Date.parse(response.headers.get('date') ?? '') - Date.now();
}

const clockJump: Attack<Stack> = {
  name: 'one server with its clock two hours ahead',
  lacks: () => (existsSync(FAKETIME) ? null : "Debian's faketime is not installed"),
  async run({ stack }, signal) {
    const [server] = stack.servers;
    await server.kill();
    await server.start({ LD_PRELOAD: FAKETIME, FAKETIME: '+2h', FAKETIME_DONT_FAKE_MONOTONIC: '1' });
    const ahead = await aheadMs(server.url);
    if (!(ahead > 1.9 * HOUR_MS)) throw new Error(`its clock is ${ahead} ms ahead`);
    await sleep(LEAST_MS);
    while (!signal.aborted) await pause(1_000, signal);
    await server.kill();
    await server.start();
    return 'and back';
  },
};

/** Failures of machines and actions of admins. Honest people may have to wait; nothing may be lost or counted twice. */
export const FAILURES: readonly Attack<Stack>[] = [
  consoleLock,
  serverKills,
  databaseKill,
  databaseRestart,
  chain('chain gone', (proxy) => proxy.fail('all', 'cut')),
  chain('chain slow, 3 s later', (proxy) => void (proxy.delayMs = SLOW_MS)),
  chain('chain answers nonsense', (proxy) => proxy.fail('all', 'nonsense')),
  fullDisk,
  clockJump,
];
