import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#dev/postgres/embedded.ts';

export interface TestCluster {
  url: string;
  /** Drops what ended tests have left behind; of migrated templates too when no Vitest runs that copies them. */
  clean(withTemplates: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** One PostgreSQL for all faults of a run: starting it for each would take longer than most tests. */
export async function startCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-mutants-postgres-'));
  const settings = { max_connections: '300' };
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, settings });
  return {
    url: server.url,
    async clean(withTemplates) {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
      const left = withTemplates ? /^(test|template)_\w/ : /^test_/;
      for (const { datname } of rows)
        if (left.test(datname)) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
      await client.end();
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
