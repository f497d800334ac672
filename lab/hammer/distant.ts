import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import type { Attackers } from './attackers.ts';
import type { Attack } from './attack.ts';
import type { Done, Order } from './distant-process.ts';
import type { Stack } from './stack.ts';

const PROCESS_FILE = path.join(import.meta.dirname, 'distant-process.ts');

/** The next message of the process. @throws Error when it ends instead. */
function nextMessage(child: ChildProcess): Promise<Done> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message as Done);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      child.off('message', onMessage);
      reject(new Error(`the process of the attackers ended (${signal ?? `exit code ${code}`})`));
    };
    child.once('message', onMessage).once('exit', onExit);
  });
}

/** Sends an order and waits for its result. */
async function ask(child: ChildProcess, order: Order): Promise<string> {
  child.send(order);
  const done = await nextMessage(child);
  if ('failure' in done) throw new Error(done.failure);
  return done.detail;
}

/**
 * Starts a process that attacks as if from another machine: it has the lowest priority, so that it takes processor time
 * only where the servers, the database and honest people leave some. Resolves to a function that runs an attack there.
 */
export async function startDistantAttackers(
  lifecycle: Lifecycle,
  { servers, database, rpcUrl, faucetUrl }: Stack,
): Promise<(attack: Attack) => Attack<Stack>> {
  const about = { urls: servers.map(({ url }) => url), databaseUrl: database.url, rpcUrl, faucetUrl };
  // In a separate session, whose priority can be lowered as a whole.
  const child = fork(PROCESS_FILE, [JSON.stringify(about)], { detached: true, execArgv: [] });
  await lifecycle.atEnd(async () => child.kill('SIGKILL'));
  await nextMessage(child);
  return ({ name, prepare }) => ({
    name,
    ...(prepare ? { prepare: async () => void (await ask(child, { prepare: name })) } : {}),
    run({ address }: Attackers<Stack>, signal: AbortSignal) {
      signal.addEventListener('abort', () => child.send({ end: true } satisfies Order), { once: true });
      return ask(child, { run: name, address });
    },
  });
}
