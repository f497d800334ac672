import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import type { Lifecycle } from '../scripts/lib/lifecycle.ts';

/** A PostgreSQL that can be killed and started again under the same address. */
export interface HammeredDatabase {
  readonly url: string;
  readonly folder: string;
  /** SIGKILL to the postmaster; its children follow. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startDatabase(
  lifecycle: Lifecycle,
  folder: string,
  options: { durable: boolean },
): Promise<HammeredDatabase> {
  const dataDir = path.join(folder, 'postgres');
  const launch = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, port, durable: options.durable, settings: { max_connections: '120' } });
  let running = await launch(0);
  const stop = async (): Promise<void> => running.stop();
  await lifecycle.own(Promise.resolve({ stop }));
  await migrate(running.url);
  return {
    url: running.url,
    folder,
    stop,
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
      await running.stop();
    },
    async start() {
      running = await launch(running.port);
    },
  };
}
