import { fork } from 'node:child_process';
import path from 'node:path';

interface Ready {
  ready: true;
  url: string;
  databaseUrl: string;
  rpcUrl: string;
  faucetUrl: string;
  /** Origin of the push service. */
  pushUrl: string;
  /** Environment of the server. */
  settings: Record<string, string>;
}

/** Starts the product once for all journeys; where to find it travels to the workers in the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const child = fork(path.resolve('scripts/e2e-stack.ts'), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) resolve(message as Ready);
    });
    child.once('exit', (code) => reject(new Error(`the product did not start (exit code ${code})`)));
  });
  process.env.E2E_URL = ready.url;
  process.env.E2E_DATABASE_URL = ready.databaseUrl;
  process.env.E2E_RPC_URL = ready.rpcUrl;
  process.env.E2E_FAUCET_URL = ready.faucetUrl;
  process.env.E2E_PUSH_URL = ready.pushUrl;
  process.env.E2E_SERVER_SETTINGS = JSON.stringify(ready.settings);
  process.env.E2E_STACK_PID = String(child.pid);
  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
}
