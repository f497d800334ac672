import { existsSync } from 'node:fs';
import { run } from './programs.ts';

const APT_TIMEOUT_MS = 10 * 60_000;
let updated = false;

/** Installs a Debian package, where that is possible: as root, with apt-get. Answers why not, or null when it is there. */
export async function installDebianPackage(name: string): Promise<string | null> {
  if (!existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  const apt = async (...args: string[]): Promise<string | null> => {
    const { code, output } = await run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: APT_TIMEOUT_MS,
    });
    return code === 0
      ? null
      : (output
          .trim()
          .split('\n')
          .findLast((line) => line.startsWith('E:')) ?? `apt-get ${args[0]} failed`);
  };
  console.log(`  installing Debian's package ${name} …`);
  // The lists of a fresh machine are empty or old; if that fails, what is there may still do.
  if (!updated) await apt('update');
  updated = true;
  return apt('install', '-y', '--no-install-recommends', name);
}
