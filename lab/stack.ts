/**
 * The one starter of databases, sandbox chains and servers, for tests, benches, the hammer, journeys and demos. An owner ends what it
 * started, the newest first: the lifecycle of a script, or a `TestOwner`, which also works within a test.
 */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { type Child, forkReady } from '#ops/process/children.ts';
import type { Lifecycle, Stoppable } from '#ops/process/lifecycle.ts';
import { forkServer } from '#ops/serve/server.ts';

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

/** A temporary folder, removed at the end. */
export async function makeFolder(owner: Owner, name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `snapswipe-${name}-`));
  await owner.atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // When this is root, PostgreSQL runs as another user and must be able to walk down to its data.
  await chmod(folder, 0o755);
  return folder;
}

export interface DatabaseOptions {
  /** By default a temporary one. */
  folder?: string;
  /** false: no data outlives the run, so that none has to reach the disk. */
  durable?: boolean;
  settings?: Record<string, string>;
  /** true: without the schema. */
  isBare?: boolean;
  /** Folder of another PostgreSQL than the one from npm. */
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
  // When this is root, PostgreSQL runs as another user, and its older versions must be able to walk down to their data.
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

export interface SandboxUrls {
  rpcUrl: string;
  faucetUrl: string;
}

export interface SandboxOptions {
  /** By default a temporary one. */
  folder?: string;
  /** Free ones by default. */
  ports?: { rpc: number; faucet: number } | undefined;
}

export async function startSandbox(
  owner: Owner,
  { folder, ports = { rpc: 0, faucet: 0 } }: SandboxOptions = {},
): Promise<SandboxUrls & Pick<Child, 'exited' | 'stop'>> {
  const env = {
    ...process.env,
    SANDBOX_PORT: String(ports.rpc),
    SANDBOX_FAUCET_PORT: String(ports.faucet),
    SANDBOX_DIR: folder ?? (await makeFolder(owner, 'chain')),
  };
  const { ready, exited, stop } = await owner.own(
    forkReady({ name: 'The sandbox chain', file: 'lab/sandbox/main.ts', env, quiet: true }),
  );
  return { ...(ready as unknown as SandboxUrls), exited, stop };
}

/** The processes of a server on one port, which can be killed and started again under the same address. */
export interface LabServer {
  readonly url: string;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** With further settings where given. */
  start(more?: NodeJS.ProcessEnv): Promise<void>;
  /** Peak memory of any of its processes since its start or `resetPeak`, in MB. */
  peakMemoryMb(): Promise<number>;
  resetPeak(): Promise<void>;
}

export interface ServerOptions {
  processes?: number;
  /** false: its log is shown, too. */
  quiet?: boolean;
}

/** A server as separate processes, as in production. */
export async function startServer(
  owner: Owner,
  env: NodeJS.ProcessEnv,
  { processes = 1, quiet = true }: ServerOptions = {},
): Promise<LabServer> {
  let running: Child[] = [];
  let port = env.PORT ?? '0';
  const start = async (more: NodeJS.ProcessEnv = {}): Promise<void> => {
    running = [];
    while (running.length < processes) {
      const args = processes > 1 ? ['--share-port'] : [];
      running.push(await forkServer({ env: { ...env, ...more, PORT: port }, args, quiet }));
      port = new URL(urlOf(running)).port;
    }
  };
  const stop = async (): Promise<void> => void (await Promise.all(running.map((child) => child.stop())));
  await owner.own(start().then(() => ({ stop, kill: () => running.forEach((child) => child.kill?.()) })));
  const each = <T>(work: (child: Child) => Promise<T>): Promise<T[]> => Promise.all(running.map(work));
  return {
    url: urlOf(running),
    start,
    stop,
    async kill() {
      await each((child) => {
        child.kill?.();
        return child.exited;
      });
    },
    peakMemoryMb: async () => Math.max(...(await each(({ pid }) => peakMemoryMb(pid)))),
    // Linux resets the high-water mark for those who may write this.
    resetPeak: async () =>
      void (await each(({ pid }) => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined))),
  };
}

const urlOf = (running: readonly Child[]): string => String(running[0]?.ready.url);

async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
