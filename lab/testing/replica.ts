import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { makeFolder, TestOwner } from '../stack.ts';

export interface ReplicatedDatabase {
  primaryUrl: string;
  replicaUrl: string;
  stopPrimary(): Promise<void>;
  startPrimary(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  end(): Promise<void>;
}

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '64MB',
  max_connections: '60',
  synchronous_commit: 'on',
  // Reconnects soon after the primary was away.
  wal_retrieve_retry_interval: '100ms',
};

/** A migrated database of its own with a streaming replica, both real, of the version that the run is on. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const owner = new TestOwner();
  const folder = await makeFolder(owner, 'replica');
  const binDir = process.env['TEST_POSTGRES_BIN'];
  const start = (name: string, port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir: path.join(folder, name),
      port,
      durable: false,
      settings: SETTINGS,
      ...(binDir ? { binDir } : {}),
    });

  // A copy of a database that was shut down is a complete backup of it.
  const template = await start('primary', 0);
  await migrate(template.url);
  await template.stop();
  for (const name of ['cluster', 'password'])
    await cp(path.join(folder, 'primary', name), path.join(folder, 'replica', name), { recursive: true });
  const { username, password, port } = new URL(template.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  // Settings are in a file, so that a test can change them.
  const ofReplica = { 'standby.signal': '', 'postgresql.auto.conf': `primary_conninfo = '${source}'\n` };
  for (const [name, text] of Object.entries(ofReplica))
    await writeFile(path.join(folder, 'replica', 'cluster', name), text);

  let primary = await start('primary', template.port);
  let replica = await start('replica', 0);
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    stopPrimary: () => primary.stop(),
    async startPrimary() {
      primary = await start('primary', template.port);
    },
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await start('replica', replica.port);
    },
    async end() {
      await replica.stop();
      await primary.stop();
      await owner.end();
    },
  };
}
