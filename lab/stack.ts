/**
 * Starts databases, sandbox chains and servers, for tests, load, journeys and demos. An owner ends them, the newest
 * first: the lifecycle of a script, or a `TestOwner`.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { type Child, forkReady } from '#ops/process/children.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import type { Lifecycle, Stoppable } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import { SERVER_FLAGS } from '#ops/serve/server.ts';
import { serverSettings } from './settings.ts';
import { type ChainProxy, startChainProxy } from './testing/chain-proxy.ts';

export type Owner = Pick<Lifecycle, 'own' | 'atEnd'>;

export class TestOwner implements Owner {
  readonly #owned: Stoppable[] = [];

  async own<T extends Stoppable>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    this.#owned.push(started);
    return started;
  }

  async atEnd(stop: () => Promise<unknown>): Promise<void> {
    await this.own(Promise.resolve({ stop: async () => void (await stop()) }));
  }

  async end(): Promise<void> {
    for (const started of this.#owned.splice(0).toReversed()) await started.stop();
  }
}

export async function makeFolder(owner: Owner, name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `snapswipe-${name}-`));
  await owner.atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // When this is root, PostgreSQL runs as another user and must be able to walk down to its data.
  await chmod(folder, 0o755);
  return folder;
}

export interface DatabaseOptions {
  folder?: string;
  /** false: no data outlives the run, so that none has to reach the disk. */
  durable?: boolean;
  settings?: Record<string, string>;
  /** true: without the schema. */
  isBare?: boolean;
  /** Folder of a PostgreSQL other than the one from npm. */
  binDir?: string | undefined;
}

/** A PostgreSQL that can be killed and started again under the same address. */
export interface LabDatabase {
  readonly url: string;
  /** SIGKILL to the postmaster; its children follow. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Starts it if it has ended; returns whether it had. */
  ensureRunning(): Promise<boolean>;
}

export async function startDatabase(
  owner: Owner,
  { folder, durable = true, settings = { max_connections: '300' }, isBare = false, binDir }: DatabaseOptions = {},
): Promise<LabDatabase> {
  const dataDir = path.join(folder ?? (await makeFolder(owner, 'database')), 'postgres');
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  const launch = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, port, durable, settings, ...(binDir === undefined ? {} : { binDir }) });
  let running = launch(0);
  const stop = async (): Promise<void> => (await running).stop();
  await owner.own(running.then(() => ({ stop })));
  const { url, port } = await running;
  const start = async (): Promise<void> => void (await (running = launch(port)));
  if (!isBare) await migrate(url);
  return {
    url,
    stop,
    start,
    async kill() {
      const { pid, exited } = await running;
      process.kill(pid, 'SIGKILL');
      await exited;
      await stop();
    },
    async ensureRunning() {
      const { exited } = await running;
      const hasEnded = await Promise.race([exited.then(() => true), sleep(2_000, false, { ref: false })]);
      if (!hasEnded) return false;
      await stop();
      await start();
      return true;
    },
  };
}

interface SandboxUrls {
  rpcUrl: string;
  faucetUrl: string;
}

export interface SandboxOptions {
  folder?: string;
  /** Ports of the chain; free ones by default. */
  ports?: { rpc: number; faucet: number } | undefined;
  /** Offered by the Sandbox Wallet, besides the administrator. */
  accounts?: readonly object[];
}

export async function startSandbox(
  owner: Owner,
  { folder, ports = { rpc: 0, faucet: 0 }, accounts = [] }: SandboxOptions = {},
): Promise<SandboxUrls & Pick<Child, 'exited' | 'stop'>> {
  const env = {
    ...process.env,
    SANDBOX_PORT: String(ports.rpc),
    SANDBOX_FAUCET_PORT: String(ports.faucet),
    SANDBOX_DIR: folder ?? (await makeFolder(owner, 'chain')),
    SANDBOX_ACCOUNTS: JSON.stringify(accounts),
  };
  const { ready, exited, stop } = await owner.own(
    forkReady({ name: 'The sandbox chain', file: 'packages/sandbox/main.ts', env, quiet: true }),
  );
  return { ...(ready as unknown as SandboxUrls), exited, stop };
}

/** A server process that can be killed and started again under the same address. */
interface LabServer {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(more?: NodeJS.ProcessEnv): Promise<void>;
}

export interface ServerOptions {
  /** False also shows the log of the server. */
  quiet?: boolean;
  /** Folder of another checkout of this project, whose code runs. */
  folder?: string;
}

/** Where the server of this and of older commits begins. */
const ENTRIES = ['ops/serve/main.ts', 'server/main.ts'];

/** @throws where the folder has no server that can be started */
export function serverEntry(folder: string): string {
  const entry = ENTRIES.map((file) => path.join(folder, file)).find((file) => existsSync(file));
  if (entry === undefined) throw new Error(`${folder} has no server: neither ${ENTRIES.join(' nor ')}.`);
  return path.relative(ROOT, entry);
}

export async function startServer(
  owner: Owner,
  env: NodeJS.ProcessEnv,
  { quiet = true, folder = ROOT }: ServerOptions = {},
): Promise<LabServer> {
  const file = serverEntry(folder);
  const launch = (more: NodeJS.ProcessEnv): Promise<Child> =>
    forkReady({ name: 'The server', file, execArgv: SERVER_FLAGS, env: { ...env, ...more }, quiet });
  let running = await launch({});
  const url = String(running.ready.url);
  const stop = (): Promise<void> => running.stop();
  await owner.own(Promise.resolve({ stop, kill: () => running.kill?.() }));
  return {
    url,
    get pid() {
      return running.pid;
    },
    stop,
    async start(more) {
      running = await launch({ ...more, PORT: new URL(url).port });
    },
    async kill() {
      running.kill?.();
      await running.exited;
    },
  };
}

/** Two servers on one database, with a sandbox chain behind a proxy that can fail. */
export interface Stack extends SandboxUrls {
  servers: [LabServer, LabServer];
  database: LabDatabase;
  /** The separate small disk with the database's data; null if none can be mounted. */
  diskFolder: string | null;
  /** A database connection that bypasses the servers. */
  client: Database;
  chain: ChainProxy;
}

const DISK_MB = 1_500;

/** A small disk in memory that can be filled up; null if only root may mount one. */
async function mountDisk(owner: Owner, folder: string): Promise<string | null> {
  await mkdir(folder);
  const { code } = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]);
  if (code !== 0) return null;
  await owner.atEnd(() => run('umount', ['-l', folder]));
  return folder;
}

export async function startStack(owner: Owner, env: NodeJS.ProcessEnv, { ownDisk = false } = {}): Promise<Stack> {
  const folder = await makeFolder(owner, 'stack');
  const diskFolder = ownDisk ? await mountDisk(owner, path.join(folder, 'disk')) : null;
  const database = await startDatabase(owner, { folder: diskFolder ?? folder, settings: { max_connections: '120' } });
  const { rpcUrl, faucetUrl } = await startSandbox(owner);
  const chain = await startChainProxy(rpcUrl);
  await owner.atEnd(async () => chain.close());
  const settings = {
    ...inheritedEnv(),
    ...serverSettings(database.url, { rpcUrl: chain.url, faucetUrl }),
    LOG_LEVEL: 'fatal',
    ...env,
  };
  const servers: Stack['servers'] = [await startServer(owner, settings), await startServer(owner, settings)];
  const client = openDatabase(database.url, {
    maxConnections: 4,
    statementTimeoutMs: 120_000,
    onError: () => undefined,
  });
  await owner.atEnd(() => client.close());
  return { servers, database, diskFolder, client, chain, rpcUrl, faucetUrl };
}
