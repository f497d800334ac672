/** A further server over the data of all journeys, in a process of its own: `npm run serve` without its preparations. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setting } from '../setting.ts';

export async function startFurtherServer(more: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const settings = JSON.parse(setting('E2E_SERVER_SETTINGS')) as NodeJS.ProcessEnv;
  const env = { ...settings, ...more };
  const child = fork(path.resolve('ops/serve/workers.fixture.ts'), [], { execArgv: [], env });
  await nextMessage(child);
  return child;
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the server has ended (exit code ${code})`)));
  });
}

export async function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
