import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { drawPage } from './page.ts';
import { runCheck } from './check.ts';
import { checkClocks, checkNode, checkSettingsFile, checkSpace, readSpaces } from './machine.ts';

const GIGABYTE = 1024 ** 3;
const result = (run: () => unknown) =>
  runCheck({ name: 'It', run: async () => run() as string | null, remedy: 'See to it' });

test.each([
  ['24.21.0', 'ok'],
  ['22.18.0', 'warn'],
  ['26.0.0', 'warn'],
  ['22.17.9', 'fail'],
  ['18.19.0', 'fail'],
])('the doctor rates Node %s as %s', async (version, state) => {
  expect(await result(() => checkNode(version))).toMatchObject({ state });
});

test.each([
  [[20], 'ok'],
  [[20, 4], 'warn'],
  [[0.9, 4], 'fail'],
])('the doctor rates disks with %s GB left as %s', async (free, state) => {
  const spaces = free.map((each) => ({ path: '/data', freeBytes: each * GIGABYTE, totalBytes: 100 * GIGABYTE }));
  expect(await result(() => checkSpace(spaces))).toMatchObject({ state, what: expect.stringContaining('/data') });
});

test('the doctor accepts a small disk that is mostly empty', async () => {
  const small = { path: '/tmp', freeBytes: 0.9 * GIGABYTE, totalBytes: GIGABYTE };
  expect(await result(() => checkSpace([small]))).toMatchObject({ state: 'ok' });
});

test('the doctor counts a missing folder for the disk of its parent, and each disk once', async () => {
  const spaces = await readSpaces([tmpdir(), path.join(tmpdir(), 'nobody', 'has', 'made', 'it')]);
  expect(spaces).toHaveLength(1);
  expect(spaces[0]?.freeBytes).toBeGreaterThan(0);
});

const SKEW = [
  ['database a second ahead', 1_000, 0, null, 'ok'],
  ['database ten seconds ahead', 10_000, 0, null, 'fail'],
  ['database ten seconds behind', -10_000, 0, null, 'fail'],
  ['node ten seconds ahead', 0, 10_000, true, 'fail'],
  ['node ten seconds behind, as its newest checkpoint may be', 0, -10_000, true, 'ok'],
  ['node two minutes behind', 0, -120_000, true, 'warn'],
  ['right by chance', 0, 0, false, 'warn'],
] as const;

test.each(SKEW)('the doctor compares clocks: %s', async (_what, database, node, ntp, state) => {
  const clocks = [
    { name: 'the database', aheadMs: database, mayLag: false },
    { name: 'the Sui node', aheadMs: node, mayLag: true },
  ];
  expect(await result(() => checkClocks(clocks, ntp))).toMatchObject({ state });
});

test('the doctor reports a settings file that all users of the machine may read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-settings-'));
  const file = path.join(folder, '.env');
  try {
    expect(await result(() => checkSettingsFile(file))).toBeNull();
    await writeFile(file, 'PORT=1');
    await chmod(file, 0o644);
    expect(await result(() => checkSettingsFile(file))).toMatchObject({ state: 'warn', remedy: `chmod o= ${file}` });
    await chmod(file, 0o642);
    expect(await result(() => checkSettingsFile(file))).toMatchObject({ state: 'warn' });
    await chmod(file, 0o640);
    expect(await result(() => checkSettingsFile(file))).toMatchObject({ state: 'ok' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a check that breaks is a failure with a remedy, and the page counts the problems', async () => {
  const broken = await result(() => {
    throw new Error('the cable is out');
  });
  expect(broken).toEqual({ name: 'It', state: 'fail', what: 'the cable is out', remedy: 'See to it' });
  const fine = await result(() => 'all of it');
  const page = drawPage([fine, broken, broken].filter((each) => each !== null));
  expect(page.split('\n')).toEqual([
    '✓ It             all of it',
    '✗ It             the cable is out',
    '                 → See to it',
    '✗ It             the cable is out',
    '                 → See to it',
    '',
    '3 checks: 2 failures',
  ]);
  expect(drawPage([fine].filter((each) => each !== null))).toContain('1 check: all is well');
});
