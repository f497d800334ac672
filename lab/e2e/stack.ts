/** The whole product for journeys, in a process of its own (lab/e2e-stack.ts). */
import { fork } from 'node:child_process';
import path from 'node:path';

interface StackAddresses {
  url: string;
  databaseUrl: string;
  rpcUrl: string;
  faucetUrl: string;
  pushUrl: string;
  settings: Record<string, string>;
}

export interface Stack extends StackAddresses {
  pid: number | undefined;
  /** Stops the server and starts it with further settings, as an operator does. */
  restartWith: (settings: Record<string, string>) => Promise<void>;
  /** Ends this day: what is cast later is of tomorrow. */
  closeToday: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startStack(more: Record<string, string> = {}): Promise<Stack> {
  const child = fork(path.resolve('lab/e2e-stack.ts'), {
    execArgv: [],
    env: { ...process.env, ...more },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = await new Promise<StackAddresses>((resolve, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message)
        resolve(message as unknown as StackAddresses);
    });
    child.once('exit', (code) => reject(new Error(`the product did not start (exit code ${code})`)));
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  const tell = (message: string | object) =>
    new Promise<void>((resolve) => {
      child.once('message', () => resolve());
      child.send(message);
    });
  const restartWith = (settings: Record<string, string>) => tell({ settings });
  const closeToday = () => tell('close today');
  return { ...ready, pid: child.pid, restartWith, closeToday, stop };
}
