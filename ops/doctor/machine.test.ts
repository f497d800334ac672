import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { askAll, failure } from './check.ts';
import { askSettings, checkClocks } from './machine.ts';

const result = async (run: () => unknown) =>
  (await askAll([{ name: 'It', ask: async () => run() as string | null, remedy: 'See to it' }], null))[0];

test.each([
  ['a database that is a second ahead', 1_000, 0, 'ok'],
  ['a database that is ten seconds ahead', 10_000, 0, 'fail'],
  ['a database that is ten seconds behind', -10_000, 0, 'fail'],
  ['a node that is ten seconds ahead', 0, 10_000, 'fail'],
  ['a node that is ten seconds behind, as its newest checkpoint may be', 0, -10_000, 'ok'],
  ['a node that is two minutes behind', 0, -120_000, 'warn'],
])("the doctor compares this machine's clock with %s", async (_what, database, node, state) => {
  const clocks = [
    { name: 'the database', aheadMs: database, mayLag: false },
    { name: 'the Sui node', aheadMs: node, mayLag: true },
  ];
  expect(await result(() => checkClocks(clocks))).toMatchObject({ state });
});

test('the doctor reports settings that all users of the machine may read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-settings-'));
  const settingsFile = path.join(folder, '.env');
  const key = randomBytes(32).toString('base64');
  const config = readConfig({
    DATABASE_URL: 'postgres://localhost/snapswipe',
    ADMIN_WALLET: newWallet().toSuiAddress(),
    ADMIN_PASSWORD: 'long enough',
    OPERATOR: 'Reef',
    ACCOUNT_KEY: key,
    LOG_PRIVATE_KEY: key,
  });
  try {
    await writeFile(settingsFile, 'PORT=1');
    for (const [mode, state] of [
      [0o644, 'warn'],
      [0o642, 'warn'],
      [0o640, 'ok'],
    ] as const) {
      await chmod(settingsFile, mode);
      expect([mode, await result(() => askSettings({ config, settingsFile }))]).toMatchObject([mode, { state }]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a check that throws fails with its remedy, and checks that depend on it are skipped', async () => {
  const asked: string[] = [];
  const question = (name: string, needs?: string, problem?: Error) => ({
    name,
    remedy: 'See to it',
    ...(needs === undefined ? {} : { needs }),
    ask: async () => {
      asked.push(name);
      if (problem) throw problem;
      return 'well';
    },
  });
  const results = await askAll(
    [
      question('Cable', undefined, new Error('it is out')),
      question('Signal', 'Cable'),
      question('Picture', 'Signal'),
      question('Power', undefined),
      question('Light', 'Power', failure('it is dark', 'Press the switch')),
    ],
    null,
  );
  expect(results).toEqual([
    { name: 'Cable', state: 'fail', what: 'it is out', remedy: 'See to it' },
    { name: 'Power', state: 'ok', what: 'well', remedy: null },
    { name: 'Light', state: 'fail', what: 'it is dark', remedy: 'Press the switch' },
  ]);
  expect(asked).toEqual(['Cable', 'Power', 'Light']);
});
