import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Database, openDatabase } from '#db/client.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { serverSettings } from '../settings.ts';
import { type LabDatabase, type LabServer, makeFolder, startDatabase, startSandbox, startServer } from '../stack.ts';
import { type ChainProxy, startChainProxy } from '../testing/chain-proxy.ts';

export interface Stack {
  servers: [LabServer, LabServer];
  database: LabDatabase;
  /** The separate small disk with the database's data; null where none can be mounted. */
  diskFolder: string | null;
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

const DISK_MB = 1_500;

/** A small disk in memory that can be filled up; null where only root may mount one. */
async function mountDisk(lifecycle: Lifecycle, folder: string): Promise<string | null> {
  await mkdir(folder);
  const { code } = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]);
  if (code !== 0) return null;
  await lifecycle.atEnd(() => run('umount', ['-l', folder]));
  await chmod(folder, 0o755);
  return folder;
}

/** Two server processes on one database, with a sandbox chain behind a proxy; all of it ends with the lifecycle. */
export async function startStack(lifecycle: Lifecycle, options: StackOptions): Promise<Stack> {
  const folder = await makeFolder(lifecycle, 'hammer');
  const diskFolder = options.ownDisk ? await mountDisk(lifecycle, path.join(folder, 'disk')) : null;
  const database = await startDatabase(lifecycle, {
    folder: diskFolder ?? folder,
    durable: options.durable,
    settings: { max_connections: '120' },
  });
  const { rpcUrl, faucetUrl } = await startSandbox(lifecycle);
  const chain = await startChainProxy(rpcUrl);
  await lifecycle.atEnd(async () => chain.close());
  const env: NodeJS.ProcessEnv = {
    ...inheritedEnv(),
    ...serverSettings(database.url, { rpcUrl: chain.url, faucetUrl }),
    LOG_LEVEL: 'fatal',
    ...options.env,
  };
  const servers: [LabServer, LabServer] = [await startServer(lifecycle, env), await startServer(lifecycle, env)];
  const client = openDatabase(database.url, {
    maxConnections: 4,
    statementTimeoutMs: 120_000,
    onError: () => undefined,
  });
  await lifecycle.atEnd(() => client.close());
  return { servers, database, diskFolder, client, chain, rpcUrl, faucetUrl };
}
