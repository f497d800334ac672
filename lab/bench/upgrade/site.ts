import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import { makeFolder } from '../../stack.ts';

/** A file that all pages import: a change in it gives nearly every file of the page a new name. */
const SHARED_FILE = 'web/lib/paths.ts';
const START_MS = 120_000;

/** A checkout of this project in a separate folder, as an operator has it. */
export interface Checkout {
  folder: string;
  /** Makes the sources those of this commit. */
  checkOut(commit: string): Promise<void>;
  /** Gives the page another content, as a change in the code would. */
  change(number: number): Promise<void>;
  /** `npm run build` in it. */
  build(): Promise<void>;
  /** Files of the current page, as browsers request them. */
  files(): Promise<string[]>;
}

async function must(command: string, args: string[]): Promise<void> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output.trim()}`);
}

export async function makeCheckout(lifecycle: Lifecycle, commit: string): Promise<Checkout> {
  const folder = path.join(await makeFolder(lifecycle, 'upgrade'), 'site');
  await must('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, folder]);
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const checkout: Checkout = {
    folder,
    checkOut: (name) => must('git', ['-C', folder, 'checkout', '--quiet', '--force', '--detach', name]),
    change: (number) =>
      appendFile(path.join(folder, SHARED_FILE), `\nReflect.set(globalThis, 'snapswipeRelease', ${number});\n`),
    build: () => must(process.execPath, [path.join(folder, 'scripts/run.mjs'), 'build']),
    async files() {
      const names = await readdir(path.join(folder, 'dist/current/assets'));
      return names.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => `/assets/${name}`);
    },
  };
  await checkout.checkOut(commit);
  return checkout;
}

export interface Site {
  url: string;
  /** Sends SIGHUP, and returns the line with the result. @throws Error when the upgrade failed. */
  upgrade(): Promise<void>;
  /** All of its running processes. */
  processes(): Promise<number>;
}

/** `npm run serve` in the checkout, with its output. */
export async function serve(
  lifecycle: Lifecycle,
  checkout: Checkout,
  options: { workers: number; env: NodeJS.ProcessEnv },
): Promise<Site> {
  const args = [path.join(checkout.folder, 'scripts/run.mjs'), 'serve', '--workers', String(options.workers)];
  const child = spawn(process.execPath, args, {
    cwd: checkout.folder,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await lifecycle.atEnd(() => end(child));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const heard = async (pattern: RegExp, from = 0): Promise<string> => {
    const untilMs = performance.now() + START_MS;
    for (;;) {
      const found = pattern.exec(said.slice(from));
      if (found) return found[1] ?? found[0];
      if (child.exitCode !== null || performance.now() > untilMs) throw new Error(`The site did not go on:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const url = await heard(/^Serving \S+ at (\S+)$/m);
  return {
    url,
    async upgrade() {
      const from = said.length;
      child.kill('SIGHUP');
      const line = await heard(/^(?:✓ Upgraded|✗ Not upgraded).*$/m, from);
      if (line.startsWith('✗')) throw new Error(said.slice(from));
    },
    async processes() {
      const all = await readdir('/proc');
      const lines = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
      return lines.filter((line) => line.includes(path.join(checkout.folder, 'ops/serve/main.ts'))).length;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
