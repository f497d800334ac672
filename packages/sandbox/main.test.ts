import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { balanceOf, clientOf, FAUCET_MIST, fund, newAddress } from './testing/sandbox.ts';

interface Ready {
  readonly ready: true;
  readonly rpcUrl: string;
  readonly faucetUrl: string;
}

interface Forked {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<[code: number | null, signal: string | null]>;
}

const MAIN = join(import.meta.dirname, 'main.ts');

function start(env: Record<string, string>): Forked {
  const child = fork(MAIN, { execArgv: [], env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  // Not 'close': it never comes once the parent has ended the IPC channel.
  const exited = once(child, 'exit').then(([code, signal]): [number | null, string | null] => [code, signal]);
  return { child, output: () => output, exited };
}

async function ready({ child, output, exited }: Forked): Promise<Ready> {
  const failed = exited.then(() => Promise.reject(new Error(`ended before it was ready: ${output()}`)));
  const [message] = await Promise.race([once(child, 'message'), failed]);
  return message;
}

function freePorts(): Record<string, string> {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { SANDBOX_PORT: '0', SANDBOX_FAUCET_PORT: '0', SANDBOX_DIR: dir };
}

test('the sandbox reports when it is ready, and SIGTERM or the end of its parent end it cleanly', async () => {
  for (const end of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    const sandbox = start(freePorts());
    const { rpcUrl, faucetUrl } = await ready(sandbox);
    await expect.poll(sandbox.output, { timeout: 10_000 }).toBe(`sandbox chain ready ${rpcUrl} ${faucetUrl}\n`);
    // A client that keeps its connection open must not hold the process.
    await clientOf(rpcUrl).getReferenceGasPrice();
    if (end === 'disconnect') sandbox.child.disconnect();
    else sandbox.child.kill(end);
    expect(await sandbox.exited).toEqual([0, null]);
  }
});

test('the sandbox keeps an idle connection longer than a client does', async () => {
  const { rpcUrl, faucetUrl } = await ready(start(freePorts()));
  for (const url of [rpcUrl, faucetUrl]) {
    const response = await fetch(url);
    await response.text();
    expect(response.headers.get('keep-alive')).toBe('timeout=72');
  }
});

test('a transaction acknowledged before a SIGKILL exists after the next start', async () => {
  const env = freePorts();
  const recipient = newAddress();
  for (let round = 1n; round <= 3n; round++) {
    const sandbox = start(env);
    const urls = await ready(sandbox);
    await fund({ ...urls, close: async () => undefined }, recipient);
    expect(await balanceOf(clientOf(urls.rpcUrl), recipient)).toBe(round * FAUCET_MIST);
    sandbox.child.kill('SIGKILL');
    await sandbox.exited;
  }
});

test('a taken port and a bad variable print one line with instructions, and exit with code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = String(typeof address === 'object' ? address?.port : address);
  const expectLine = async (env: Record<string, string>, text: string) => {
    const sandbox = start({ ...freePorts(), ...env });
    expect(await sandbox.exited).toEqual([1, null]);
    await expect.poll(sandbox.output, { timeout: 10_000 }).toMatch(new RegExp(`^sandbox chain: ${text}.*\n$`));
  };

  const inUse = `address already in use 127.0.0.1:${port}; stop what listens there, or set SANDBOX_PORT`;
  await expectLine({ SANDBOX_PORT: port }, inUse);
  await expectLine({ SANDBOX_FAUCET_PORT: port }, inUse);
  await expectLine({ SANDBOX_PORT: 'many' }, 'SANDBOX_PORT must be a port, not "many"');
  await expectLine({ SANDBOX_INDEX_DELAY_MS: '-1' }, 'SANDBOX_INDEX_DELAY_MS must be');
  await expectLine({ SANDBOX_DIR: join(MAIN, 'data') }, '.*; set SANDBOX_DIR to a folder that can be written');
});
