import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.ts';
import { endOrphans, readPidFile } from './orphans.ts';
import type { RunAs } from './user.ts';

export interface Cluster {
  folder: string;
  clusterDir: string;
  passwordFile: string;
  logFile: string;
  binaries: PostgresBinaries;
  user: RunAs | undefined;
  log: (line: string) => void;
}

export const SUPERUSER = 'snapswipe';
const UNFINISHED = 'cluster.unfinished-';
const SLOW_START_MS = 5_000;
/** After a crash PostgreSQL first replays its log: stopping it early would only make it begin again. */
const READY_TIMEOUT_MS = 600_000;

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  huge_pages: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
};

/**
 * Path of the data as PostgreSQL gets it. Its user may not be allowed to walk down to the folder (a clone below /root), and PostgreSQL takes
 * no path of more than 1,023 bytes and writes it as one line of a file, so it starts inside of it, and this link leads there without the
 * parents. (Before version 16 PostgreSQL changes folders at the start; there its user must be able to reach the folder.)
 */
function dataArgument(cluster: Cluster, clusterDir: string): string {
  const startsInside = process.platform === 'linux' && cluster.binaries.majorVersion >= 16;
  return startsInside ? '/proc/self/cwd' : clusterDir;
}

/** A plain environment: PGDATA, PGPORT, LC_ALL … of the shell must not change what happens. */
function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...extra };
}

/** Under a temporary name first: an interrupted start leaves no partial cluster. */
export async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const unfinished = await mkdtemp(path.join(cluster.folder, UNFINISHED));
  await chmod(unfinished, 0o700);
  if (cluster.user !== undefined) {
    await chown(unfinished, cluster.user.uid, cluster.user.gid);
    await chown(cluster.passwordFile, cluster.user.uid, cluster.user.gid);
  }
  const args = ['-D', dataArgument(cluster, unfinished), `--username=${SUPERUSER}`, '--pwfile=/dev/fd/3'];
  args.push('--auth=scram-sha-256', '--encoding=UTF8', ...localeOptions(cluster.binaries.majorVersion));
  if (!durable) args.push('--no-sync');
  const [logHandle, password] = [await open(cluster.logFile, 'a'), await open(cluster.passwordFile, 'r')];
  const logStart = (await logHandle.stat()).size;
  try {
    const initdb = spawn(cluster.binaries.initdb, args, {
      ...cluster.user,
      cwd: unfinished,
      env: environment(),
      detached: true,
      stdio: ['ignore', logHandle.fd, logHandle.fd, password.fd],
    });
    const [code] = (await once(initdb, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`PostgreSQL could not create its data: ${await lastLogLine(cluster, logStart)}`);
    await rename(unfinished, cluster.clusterDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await Promise.all([logHandle.close(), password.close()]);
  }
}

/** Order by code point, upper and lower case of all of Unicode, the same on every machine. */
function localeOptions(majorVersion: number): string[] {
  return majorVersion >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
}

export async function removeUnfinished(cluster: Cluster): Promise<void> {
  for (const name of await readdir(cluster.folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const folder = path.join(cluster.folder, name);
    // If a start was killed between mkdir and chown, the folder is not PostgreSQL's yet, and nothing runs in it.
    const owner = (await stat(folder)).uid;
    if (cluster.user === undefined || owner === cluster.user.uid) await endOrphans(folder, cluster.user, cluster.log);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Postmaster {
  pid: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error with the last line of PostgreSQL's log when it does not start */
export async function launchPostmaster(
  cluster: Cluster,
  port: number,
  settings: Record<string, string>,
): Promise<Postmaster> {
  const stale = await readPidFile(cluster.clusterDir);
  const logHandle = await open(cluster.logFile, 'a');
  const logStart = (await logHandle.stat()).size;
  const args = ['-D', dataArgument(cluster, cluster.clusterDir), '-p', String(port)];
  const io = cluster.binaries.majorVersion >= 18 ? { io_method: 'sync' } : undefined;
  for (const [name, value] of Object.entries({ ...SETTINGS, ...io, ...settings })) args.push('-c', `${name}=${value}`);
  const child = spawn(cluster.binaries.postgres, args, {
    ...cluster.user,
    cwd: cluster.clusterDir,
    // A pid file that outlived its postmaster may name a process id that another process has now. PostgreSQL never
    // treats the process in this variable (pg_ctl sets it) as a rival; its check for shared memory in use stays in
    // force.
    env: environment(stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) }),
    // A separate session: Ctrl-C in the terminal must reach us, not the database of a server that is still working.
    detached: true,
    stdio: ['ignore', logHandle.fd, logHandle.fd],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await logHandle.close();
  if (child.pid === undefined || !(await isReady(cluster, child))) {
    child.kill('SIGKILL');
    throw new Error(`PostgreSQL did not start: ${await lastLogLine(cluster, logStart)}`);
  }
  const watch = watchOwner(cluster, child.pid, exited);
  return {
    pid: child.pid,
    exited,
    async stop() {
      await stopChild(child, exited);
      await watch;
    },
  };
}

async function isReady(cluster: Cluster, child: ChildProcess): Promise<boolean> {
  const slow = setTimeout(
    () => cluster.log('PostgreSQL is still starting: after a crash it first repeats what was written last'),
    SLOW_START_MS,
  );
  try {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
      const state = await readPidFile(cluster.clusterDir);
      if (state?.pid === child.pid && state?.ready === true) return true;
      await sleep(10);
    }
    return false;
  } finally {
    clearTimeout(slow);
  }
}

/** Fast shutdown first, then harder; committed data survives either way. */
async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const abort = new AbortController();
    await Promise.race([exited, sleep(timeoutMs, undefined, { signal: abort.signal }).catch(() => undefined)]);
    abort.abort();
  }
}

/**
 * A shell that waits for the end of its input, which comes when this process dies in any way, and then stops the
 * database: no hidden server stays behind after a kill. (If the shell is killed as well, the next start ends the
 * orphan.)
 */
async function watchOwner(cluster: Cluster, pid: number, exited: Promise<void>): Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; sleep 2; kill -INT "$1"', 'sh', String(pid)], {
    ...cluster.user,
    cwd: '/',
    env: environment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', (error) => cluster.log(`no watcher for PostgreSQL: ${error.message}`));
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  await exited;
  watcher.kill('SIGKILL');
}

async function lastLogLine(cluster: Cluster, from: number): Promise<string> {
  const text = (await readFile(cluster.logFile).catch(() => Buffer.alloc(0))).subarray(from).toString();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1);
  return telling?.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '') ?? `see ${cluster.logFile}`;
}
