import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack.ts';
import { signInAsAdmin } from '../testing/admin-panel.ts';
import type { ChainProxy } from '../testing/chain-proxy.ts';

/** A failure of a machine, or a mistake of an admin. Users may have to wait; nothing may be lost or counted twice. */
export interface Failure {
  name: string;
  /** Missing requirement of this machine, in words; null when the failure can be played. */
  lacks?(stack: Stack): string | null;
  /** Lasts until the signal at least; resolves to a remark, once all is repaired. */
  run(stack: Stack, signal: AbortSignal): Promise<string>;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const untilAborted = async (signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) await pause(1_000, signal);
};

/** The watchdog cancels the statement after some six seconds. */
const consoleLock: Failure = {
  name: 'console statement that locks user_stats',
  async run({ servers: [server] }) {
    const panel = await signInAsAdmin(server);
    const sqlQuery = `DO $$BEGIN LOCK TABLE user_stats IN ACCESS EXCLUSIVE MODE; BEGIN PERFORM pg_sleep(60);
      EXCEPTION WHEN query_canceled THEN PERFORM pg_sleep(60); END; END$$`;
    const { status } = await panel.post('/api/admin/execute-sql', { sqlQuery, dryRun: true });
    return `status ${status}`;
  },
};

const serverKills: Failure = {
  name: 'SIGKILL of one server after the other',
  async run({ servers }, signal) {
    let kills = 0;
    do {
      for (const server of servers) {
        await server.kill();
        await server.start();
        kills += 1;
        await pause(500, signal);
      }
    } while (!signal.aborted);
    return `${kills} kills`;
  },
};

const database = (name: string, end: 'kill' | 'stop'): Failure => ({
  name,
  async run(stack) {
    await stack.database[end]();
    await stack.database.start();
    return '';
  },
});

const chain = (name: string, fail: (proxy: ChainProxy) => void): Failure => ({
  name,
  async run(stack, signal) {
    fail(stack.chain);
    await untilAborted(signal);
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
  } finally {
    await handle.close();
  }
  return file;
}

const fullDisk: Failure = {
  name: 'a full disk under the database',
  lacks: ({ diskFolder }) => (diskFolder === null ? 'no tmpfs can be mounted here' : null),
  async run(stack, signal) {
    if (stack.diskFolder === null) throw new Error('there is no disk to fill');
    const file = await fill(stack.diskFolder);
    const { bavail } = await statfs(stack.diskFolder);
    await untilAborted(signal);
    await rm(file, { force: true });
    // PostgreSQL stops without room for its log, as it should.
    await sleep(1_000);
    const ended = await stack.database.ensureRunning();
    return `${bavail} blocks free; PostgreSQL ${ended ? 'ended and was started again' : 'kept running'}`;
  },
};

/** Path of Debian's package libfaketime. */
const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
const HOUR_MS = 3_600_000;

const clockJump: Failure = {
  name: 'one server with its clock two hours ahead',
  lacks: () => (existsSync(FAKETIME) ? null : "Debian's faketime is not installed"),
  async run({ servers: [server] }, signal) {
    await server.kill();
    await server.start({ LD_PRELOAD: FAKETIME, FAKETIME: '+2h', FAKETIME_DONT_FAKE_MONOTONIC: '1' });
    const { headers } = await fetch(`${server.url}/healthz`);
    const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now();
    if (!(aheadMs > 1.9 * HOUR_MS)) throw new Error(`its clock is ${aheadMs} ms ahead`);
    await untilAborted(signal);
    await server.kill();
    await server.start();
    return '';
  },
};

export const FAILURES: readonly Failure[] = [
  consoleLock,
  serverKills,
  database('SIGKILL of the database', 'kill'),
  database('restart of the database', 'stop'),
  chain('chain gone', (proxy) => proxy.fail('all', 'cut')),
  chain('chain three seconds late', (proxy) => void (proxy.delayMs = 3_000)),
  chain('chain answers nonsense', (proxy) => proxy.fail('all', 'nonsense')),
  fullDisk,
  clockJump,
];
