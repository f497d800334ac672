import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#ops/process/report.ts';
import { ENGINE_PACKAGES } from '#ops/install/engines.ts';
import { PROGRAM_PACKAGES } from './test-steps.ts';

const workflow = await readFile(path.join(ROOT, '.github/workflows/ci.yml'), 'utf8');

test('the workflow installs the programs without which npm test skips suites', () => {
  const installed = new Set(/apt-get install .*/.exec(workflow)?.[0].split(' '));
  const packages = [...Object.values(PROGRAM_PACKAGES), ENGINE_PACKAGES.WebKit ?? {}];
  const needed = packages.flatMap((programs) => Object.keys(programs));
  expect([...needed, 'postgresql', 'faketime'].filter((name) => !installed.has(name))).toEqual([]);
});

test('the workflow pins its actions by the hash of a commit', () => {
  const uses = [...workflow.matchAll(/uses: \S+@(\S+)/g)].map(([, version]) => version);
  expect(uses.length).toBeGreaterThan(0);
  for (const version of uses) expect(version).toMatch(/^[0-9a-f]{40}$/);
});
