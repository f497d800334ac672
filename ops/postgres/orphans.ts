import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunAs } from './user.ts';

const run = promisify(execFile);

interface PidFile {
  pid: number;
  port: number;
  ready: boolean;
}

export async function readPidFile(clusterDir: string): Promise<PidFile | undefined> {
  const text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7] === 'ready' } : undefined;
}

/**
 * Processes of PostgreSQL (or initdb) that work in the folder, the postmaster and its children: recognized by their
 * working directory, never by a process id alone, which may belong to another process by now.
 */
export async function serverProcesses(folder: string, user: RunAs | undefined): Promise<number[]> {
  return process.platform === 'linux' ? listByWorkingDirectory(folder, user) : listByCommandLine(folder);
}

// The shell runs as PostgreSQL's user: in a container, even root may inspect only the processes of its own user. A
// process without a program is giving its memory back, and shared memory counts as in use until then; its working
// directory is the last to go.
const LIST_SCRIPT = `
for process in /proc/[0-9]*; do
  if [ "$process/cwd" -ef . ]; then
    case "$(readlink "$process/exe")" in '' | */postgres | */initdb | */postgres\\ * | */initdb\\ *) echo "\${process#/proc/}" ;; esac
  fi
done`;

async function listByWorkingDirectory(folder: string, user: RunAs | undefined): Promise<number[]> {
  const { stdout } = await run('/bin/sh', ['-c', LIST_SCRIPT], { cwd: folder, ...user });
  return stdout.split('\n').filter(Boolean).map(Number);
}

async function listByCommandLine(folder: string): Promise<number[]> {
  const pidFile = await readPidFile(folder);
  if (pidFile === undefined) return [];
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pidFile.pid)]).catch(() => ({ stdout: '' }));
  return /\bpostgres\b/.test(stdout) && stdout.includes(folder) ? [pidFile.pid] : [];
}

/**
 * Ends the processes that still work in the folder after the death of their owner and waits for them: the postmaster
 * gently (it writes everything), others without a postmaster immediately (committed rows are in the write-ahead log).
 * The caller has the folder's lock, so no living process owns these.
 */
export async function endOrphans(folder: string, user: RunAs | undefined, log: (line: string) => void): Promise<void> {
  const orphans = await serverProcesses(folder, user);
  if (orphans.length === 0) return;
  const postmaster = (await readPidFile(folder))?.pid;
  const steps: [NodeJS.Signals, number[], number][] = [
    ['SIGQUIT', [], 5_000],
    ['SIGKILL', [], 5_000],
  ];
  if (postmaster !== undefined && orphans.includes(postmaster)) steps.unshift(['SIGINT', [postmaster], 10_000]);
  log(`ending the PostgreSQL (process ${postmaster ?? orphans[0]}) that a killed start left behind`);
  for (const [signal, targets, timeoutMs] of steps) {
    for (const pid of targets.length > 0 ? targets : await serverProcesses(folder, user)) signalProcess(pid, signal);
    if (await waitUntilGone(folder, user, timeoutMs)) return;
  }
  throw new Error(
    `PostgreSQL processes of ${folder} cannot be ended: ${(await serverProcesses(folder, user)).join(', ')}.`,
  );
}

async function waitUntilGone(folder: string, user: RunAs | undefined, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if ((await serverProcesses(folder, user)).length === 0) return true;
    await sleep(30);
  }
  return false;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
