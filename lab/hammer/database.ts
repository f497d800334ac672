import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { migrate } from '#db/migrate.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';

/** A PostgreSQL that can be killed and started again under the same address. */
export interface HammeredDatabase {
  readonly url: string;
  /** The separate small disk with its data; null where none can be mounted. */
  readonly diskFolder: string | null;
  /** SIGKILL to the postmaster; its children follow. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Starts it if it has ended; returns whether it had. */
  ensureRunning(): Promise<boolean>;
}

const DISK_MB = 1_500;

/** A small disk in memory that can be filled up; null where only root may mount one. */
async function mountDisk(lifecycle: Lifecycle, folder: string): Promise<string | null> {
  await mkdir(folder);
  const { code } = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]);
  if (code !== 0) return null;
  await lifecycle.own(Promise.resolve({ stop: async () => void (await run('umount', ['-l', folder])) }));
  await chmod(folder, 0o755);
  return folder;
}

export async function startDatabase(
  lifecycle: Lifecycle,
  folder: string,
  options: { durable: boolean; ownDisk?: boolean },
): Promise<HammeredDatabase> {
  const diskFolder = options.ownDisk ? await mountDisk(lifecycle, path.join(folder, 'disk')) : null;
  const dataDir = path.join(diskFolder ?? folder, 'postgres');
  const launch = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, port, durable: options.durable, settings: { max_connections: '120' } });
  let running = await launch(0);
  const stop = async (): Promise<void> => running.stop();
  await lifecycle.own(Promise.resolve({ stop }));
  await migrate(running.url);
  return {
    url: running.url,
    diskFolder,
    stop,
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
      await running.stop();
    },
    async start() {
      running = await launch(running.port);
    },
    async ensureRunning() {
      const hasEnded = await Promise.race([running.exited.then(() => true), sleep(2_000, false, { ref: false })]);
      if (!hasEnded) return false;
      await running.stop();
      running = await launch(running.port);
      return true;
    },
  };
}
