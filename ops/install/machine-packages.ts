import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { run } from '../process/programs.ts';

const APT_TIMEOUT_MS = 10 * 60_000;
let updated = false;
/** Parallel steps install one after the other: each needs apt's locks, and the lists of the first. */
let turn: Promise<unknown> = Promise.resolve();

const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

/** Programs are installed, services are not started: tests run their own, and port 80 belongs to the machine. */
async function withoutServices<T>(work: () => Promise<T>): Promise<T> {
  if (existsSync(SERVICE_POLICY)) return work();
  const remove = (): void => rmSync(SERVICE_POLICY, { force: true });
  process.once('exit', remove);
  writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Returns the reason why the package could not be installed, or null. */
export function installDebianPackage(name: string): Promise<string | null> {
  const installed = turn.then(() => install(name));
  turn = installed.catch(() => undefined);
  return installed;
}

async function install(name: string): Promise<string | null> {
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
  // The lists of a fresh machine are empty or old. If updating fails, the present ones may still suffice.
  if (!updated) await apt('update');
  updated = true;
  return withoutServices(() => apt('install', '-y', '--no-install-recommends', name));
}
