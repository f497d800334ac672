import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackage } from './machine-packages.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const OLDEST_VERSION = 15;

/** The newest PostgreSQL of the machine, installed if needed, or the reason why there is none. */
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
