import { fork, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stoppable } from './lifecycle.ts';
import { AlreadyReported, ROOT } from './report.ts';

const STOP_TIMEOUT_MS = 15_000;
const READY_TIMEOUT_MS = 60_000;
const HANDLE_TIMEOUT_MS = 20_000;

export interface Child extends Stoppable {
  pid: number;
  ready: Record<string, unknown>;
  exited: Promise<string>;
}

export interface ForkedChild extends Child {
  send(message: string): void;
  askForHandle(message: string): Promise<Handle>;
}

export interface Handle {
  fd: number;
  close(): void;
}

interface ForkOptions {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  args?: string[];
  execArgv?: string[];
  quiet?: boolean;
  onFork?: ((child: ChildProcess) => void) | undefined;
  handle?: Handle;
}

/** The descriptor after stdin, stdout, stderr, and the channel. */
export const GIVEN_FD = 4;

/** Runs in a separate session: a Ctrl-C reaches us alone, and we stop processes in order. */
export async function forkReady({
  name,
  file,
  env,
  args = [],
  execArgv = [],
  quiet = false,
  onFork,
  handle,
}: ForkOptions): Promise<ForkedChild> {
  const options = {
    cwd: ROOT,
    env,
    execArgv,
    detached: true,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit', 'ipc', ...(handle ? [handle.fd] : [])] as StdioOptions,
  };
  const child = fork(path.join(ROOT, file), args, options);
  onFork?.(child);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${name} ended (${signal ?? `exit code ${code}`})`));
  });
  const ready = await Promise.race([untilReady(child), exited, sleep(READY_TIMEOUT_MS, undefined, { ref: false })]);
  if (typeof ready === 'object')
    return { pid: child.pid ?? 0, ready, exited, ...stopping(child), ...asking(child, name) };
  // Our processes print one line with the reason before they exit with 1.
  if (child.exitCode === 1) throw new AlreadyReported();
  child.kill('SIGKILL');
  throw new Error(ready ?? `${name} was not ready after ${READY_TIMEOUT_MS / 1000} s`);
}

async function untilReady(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) resolve({ ...message });
    });
  });
}

export function runProgram(command: string, args: string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${path.basename(command)} ended (${signal ?? `exit code ${code}`})`));
    child.once('error', (error) => resolve(`${command} cannot be run: ${error.message}`));
  });
  return { pid: child.pid ?? 0, ready: {}, exited, ...stopping(child) };
}

function asking(child: ChildProcess, name: string): Pick<ForkedChild, 'send' | 'askForHandle'> {
  const send = (message: string): void => {
    if (child.connected) child.send(message);
  };
  return {
    send,
    async askForHandle(message) {
      const sent = new Promise<unknown>((resolve) => {
        child.once('exit', () => resolve(undefined));
        child.on('message', (_message, handle) => handle && resolve(handle));
      });
      send(message);
      const handle = await Promise.race([sent, sleep(HANDLE_TIMEOUT_MS, undefined, { ref: false })]);
      if (isHandle(handle)) return handle;
      throw new Error(`${name} did not hand over its socket`);
    },
  };
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'fd' in value && 'close' in value;

function stopping(child: ChildProcess): Stoppable {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    async stop() {
      if (isOver()) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exit;
      clearTimeout(timer);
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}
