import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../postgres/embedded.ts';
import { installDebianPackage } from './machine-packages.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const OLDEST_VERSION = 15;

/**
 * Folder of the machine's newest PostgreSQL (15 or newer), installed now if needed; or the reason why there is none.
 */
export async function findSystemPostgres(): Promise<{ binDir: string } | { problem: string }> {
  const found = newestBinDir();
  if (found !== undefined) return { binDir: found };
  const problem = await installDebianPackage('postgresql');
  const installed = newestBinDir();
  return installed === undefined ? { problem: problem ?? 'it is older than 15' } : { binDir: installed };
}

function newestBinDir(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number) : [];
  return versions
    .filter((version) => version >= OLDEST_VERSION)
    .sort((one, other) => other - one)
    .map((version) => path.join(DEBIAN_FOLDER, String(version), 'bin'))
    .find((binDir) => existsSync(path.join(binDir, 'initdb')));
}

/** A temporary cluster on a free port, of the PostgreSQL in `binDir` or of the one from npm; `stop` removes it. */
export async function startTestCluster(binDir?: string): Promise<EmbeddedPostgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-test-postgres-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    // When this is root, PostgreSQL runs as another user, and its older versions must be able to walk down to their data.
    const dataDir = path.join(folder, 'postgres');
    await mkdir(dataDir);
    for (const place of [folder, dataDir]) await chmod(place, 0o755);
    const server = await startEmbeddedPostgres({
      dataDir,
      durable: false,
      settings: { max_connections: '300' },
      ...(binDir === undefined ? {} : { binDir }),
    });
    const stop = async (): Promise<void> => {
      await server.stop();
      await remove();
    };
    return { ...server, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
