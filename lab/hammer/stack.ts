import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '#db/client.ts';
import { freePort } from '#ops/process/free-port.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import { ADMIN_PASSWORD } from '../testing/admin-panel.ts';
import { ADMIN_KEYPAIR } from '../testing/wallets.ts';
import { type Child, forkReady } from '#ops/process/children.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { forkServer } from '#ops/serve/server.ts';
import { type ChainProxy, startChainProxy } from './chain-proxy.ts';
import { type HammeredDatabase, startDatabase } from './database.ts';

/** A server process that can be killed and started again under the same address. */
export interface HammeredServer {
  readonly url: string;
  kill(): Promise<void>;
  /** With additional environment variables where given. */
  start(more?: NodeJS.ProcessEnv): Promise<void>;
  /** Peak memory of the present process since its start or `resetPeak`, in MB. */
  peakMemoryMb(): Promise<number>;
  resetPeak(): Promise<void>;
}

export interface Stack {
  servers: [HammeredServer, HammeredServer];
  database: HammeredDatabase;
  /** Connection of the hammer itself, bypassing the servers. */
  client: Database;
  chain: ChainProxy;
  rpcUrl: string;
  faucetUrl: string;
}

export interface StackOptions {
  durable: boolean;
  /** The database's data on a separate small disk, which can be filled up. */
  ownDisk?: boolean;
  env: NodeJS.ProcessEnv;
}

async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

async function startServer(lifecycle: Lifecycle, env: NodeJS.ProcessEnv): Promise<HammeredServer> {
  const launch = (port: string, more: NodeJS.ProcessEnv = {}): Promise<Child> =>
    forkServer({ env: { ...env, ...more, PORT: port }, quiet: true });
  let child = await launch(String(await freePort()));
  await lifecycle.own(Promise.resolve({ stop: () => child.stop() }));
  const url = String(child.ready.url);
  return {
    url,
    async kill() {
      child.kill?.();
      await child.exited;
    },
    async start(more) {
      child = await launch(new URL(url).port, more);
    },
    peakMemoryMb: () => peakMemoryMb(child.pid),
    // Linux resets the high-water mark for those who may write this.
    resetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, '5').catch(() => undefined),
  };
}

/** Two server processes on one database, with a sandbox chain behind a proxy; all of it ends with the lifecycle. */
export async function startStack(lifecycle: Lifecycle, options: StackOptions): Promise<Stack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-hammer-'));
  // When this is root, PostgreSQL runs as another user, and must be able to walk down to its data.
  await chmod(folder, 0o755);
  await lifecycle.own(Promise.resolve({ stop: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }));
  const database = await startDatabase(lifecycle, folder, options);
  const sandbox = await lifecycle.own(
    forkReady({
      name: 'The sandbox chain',
      file: 'lab/sandbox/main.ts',
      env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_FAUCET_PORT: '0', SANDBOX_DIR: path.join(folder, 'sandbox') },
      quiet: true,
    }),
  );
  const { rpcUrl, faucetUrl } = sandbox.ready as { rpcUrl: string; faucetUrl: string };
  const chain = await lifecycle.own(startChainProxy(rpcUrl));
  const env: NodeJS.ProcessEnv = {
    ...inheritedEnv(),
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost',
    DATABASE_URL: database.url,
    SUI_NETWORK: 'localnet',
    SUI_RPC_URL: chain.url,
    SUI_FAUCET_URL: faucetUrl,
    ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
    ADMIN_PASSWORD,
    ...options.env,
  };
  const servers: [HammeredServer, HammeredServer] = [
    await startServer(lifecycle, env),
    await startServer(lifecycle, env),
  ];
  const client = openDatabase(database.url, {
    maxConnections: 4,
    statementTimeoutMs: 120_000,
    onError: () => undefined,
  });
  await lifecycle.own(Promise.resolve({ stop: () => client.close() }));
  return { servers, database, client, chain, rpcUrl, faucetUrl };
}
