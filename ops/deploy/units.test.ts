import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';

const ANALYZE = '/usr/bin/systemd-analyze';
const FOLDER = path.join(ROOT, 'ops/deploy/systemd');
const UNITS = readdirSync(FOLDER);
const SERVICES = UNITS.filter((name) => name.endsWith('.service'));
/** In tenths; systemd's own services have 96 without any protection. */
const MOST_EXPOSURE = 20;

const read = (name: string): Promise<string> => readFile(path.join(FOLDER, name), 'utf8');

async function copyUnits(folder: string): Promise<string[]> {
  return Promise.all(
    UNITS.map(async (name) => {
      const file = path.join(folder, name);
      await writeFile(file, await read(name));
      return file;
    }),
  );
}

// Left out where there is no systemd; `npm run test:all` installs it where it can.
describe.skipIf(!existsSync(ANALYZE))('the systemd units', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-units-'));
    files = await copyUnits(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('systemd finds no problem with the units', async () => {
    const { code, output } = await run(ANALYZE, ['verify', '--man=no', ...files], { timeoutMs: 60_000 });
    // It also reads units of the machine and reports their problems.
    const ours = output.split('\n').filter((line) => line.includes('snapswipe'));
    expect(ours).toEqual([]);
    expect(code).toBe(0);
  });

  test.each(SERVICES)('the systemd unit %s has almost no rights beyond its work', async (name) => {
    const args = ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, path.join(folder, name)];
    const { code, output } = await run(ANALYZE, args, { timeoutMs: 60_000 });
    expect(output).toMatch(/Overall exposure level .*: [01]\.\d/);
    expect(code).toBe(0);
  });
});

test('the systemd units call existing tasks', async () => {
  for (const name of SERVICES) {
    const task = /^ExecStart=\/usr\/bin\/env node scripts\/run\.mjs ([\w-]+)/m.exec(await read(name))?.[1] ?? '';
    expect([name, task, existsSync(path.join(ROOT, 'scripts', `${task}.ts`))]).toEqual([name, task, true]);
  }
});

test('a reload reaches the server, and the end of one of its processes does not end the others', async () => {
  const unit = await read('snapswipe.service');
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit).toMatch(/^OOMPolicy=continue$/m);
  // An environment file would keep its first values permanently: a reload could not change a setting.
  expect(unit).not.toMatch(/^EnvironmentFile=/m);
});
