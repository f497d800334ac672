import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../process/report.ts';
import { faultsOf } from './faults.ts';
import { CleanRuns } from './measure.ts';
import { Planter } from './plant.ts';
import { toResult } from './results.ts';
import { createTestMap } from './test-map.ts';
import { Tester } from './tester.ts';
import { askTypes } from './types.ts';

const SOURCE = `export function add(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += i;
  return sum;
}
export const isLarge = (n: number): boolean => n > 100;
`;
const TEST = `import { expect, test } from 'vitest';
import { add, isLarge } from './sum.ts';
test('adds', () => expect(add(4)).toBe(6));
test('is large', () => expect(isLarge(1000)).toBe(true));
`;
const CONFIG = `export default { test: { projects: [{ test: { name: 'unit', include: ['**/*.test.ts'] } }] } };`;

const FILE = 'shared/sum.ts';
const TEST_FILE = 'shared/sum.test.ts';
const LIMIT_MS = 60_000;
let folder = '';
let tester: Tester;

const write = (file: string, text: string): Promise<void> => writeFile(path.join(folder, file), text);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-tester-'));
  await mkdir(path.join(folder, 'shared'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await write('package.json', '{ "type": "module" }');
  await write('vitest.config.ts', CONFIG);
  await write(TEST_FILE, TEST);
  await write(FILE, SOURCE);
  tester = new Tester(folder, {});
});

afterAll(async () => {
  await tester.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a fault that a test looks at is noticed, another one survives, and the tree is whole again', async () => {
  const tree = { folder, tmp: folder, hash: 'x', write, remove: async () => {} };
  const clean = new CleanRuns({ tester, log: () => {}, file: path.join(folder, 'clean.json') });
  const map = { testsFor: () => [{ test: TEST_FILE, rank: 0, isUnit: true }] };
  const planter = new Planter({
    tree,
    tester,
    clean,
    map,
    sources: new Map([[FILE, SOURCE]]),
    depth: 'all',
  });
  const faults = faultsOf([[FILE, SOURCE]]).filter(
    ({ operator, scope }) => operator === 'boundary' || scope === 'isLarge',
  );
  const states: string[] = [];
  for (const fault of faults) {
    const { state, by } = await planter.plant(fault);
    states.push(`${fault.after} ${state} ${by}`.trim());
  }
  expect(states).toEqual([
    'for (let i = 0; i <= n; i += 1) sum += i; noticed shared/sum.test.ts: adds',
    'export const isLarge = (n: number): boolean => n >= 100; survived',
    'export const isLarge = (n: number): boolean => n < 100; noticed shared/sum.test.ts: is large',
    'export const isLarge = (n: number): boolean => n > 101; survived',
    'export const isLarge = (n: number): boolean => n > 99; survived',
  ]);
  expect(await tester.run({ files: [TEST_FILE], changed: [] }, () => LIMIT_MS)).toEqual({ kind: 'passed' });
});

test('an endless loop is ended, and the next run starts over', async () => {
  await write(FILE, SOURCE.replace('i += 1', 'i += 0'));
  const question = { files: [TEST_FILE], changed: [FILE] };
  expect(await tester.run(question, () => 500)).toEqual({ kind: 'stuck', file: TEST_FILE });
  expect(tester.isStopped).toBe(true);
  await write(FILE, SOURCE);
  expect(await tester.run(question, () => LIMIT_MS)).toEqual({ kind: 'passed' });
});

test('a source that cannot be loaded is noticed by the file that loads it', async () => {
  await write(FILE, 'throw new Error("gone");');
  const outcome = await tester.run({ files: [TEST_FILE], changed: [FILE] }, () => LIMIT_MS);
  expect(outcome).toMatchObject({ kind: 'failed', file: TEST_FILE, message: 'gone' });
  await write(FILE, SOURCE);
  tester.drop(FILE);
});

test('the type checker is asked about survivors, several files at once', async () => {
  const other = 'shared/other.ts';
  const sources = new Map([
    [FILE, SOURCE],
    [other, "export const isOpen = (state: 'open' | 'closed'): boolean => state === 'open';\n"],
  ]);
  const options = { strict: true, noEmit: true, types: [] };
  await write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: options, include: ['shared/sum.ts', 'shared/other.ts'] }),
  );
  await mkdir(path.join(folder, 'web'));
  await write('web/tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['../shared/sum.ts'] }));
  await Promise.all([...sources].map(([file, text]) => write(file, text)));
  const faults = faultsOf([...sources]).filter(({ operator, scope }) => operator === 'string' || scope === 'isLarge');
  const results = faults.map((fault) => toResult(fault, { state: 'survived', by: '', asked: 1, seconds: 0 }));
  await askTypes(results, faults, sources, { folder, tmp: folder, hash: 'x', write, remove: async () => {} });
  const refused = results.filter(({ isTypeError }) => isTypeError === true);
  expect(refused.map(({ after }) => after)).toEqual([
    "export const isOpen = (state: 'open' | 'closed'): boolean => state === '';",
  ]);
  expect(results.every(({ isTypeError }) => isTypeError !== undefined)).toBe(true);
});

test('where no test reaches a source, nothing is asked', () => {
  const map = createTestMap([['shared/sum.ts', SOURCE]], () => true);
  expect(map.testsFor({ file: FILE, scope: 'add' }, { name: 'rules', sources: /./, tests: /./ })).toEqual([]);
});
