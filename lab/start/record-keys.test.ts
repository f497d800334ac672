import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { keepRecordKeys } from './record-keys.ts';

test('the demo makes the keys of the record once, and keeps them private [R40 R41 R78]', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-keys-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const keys = await keepRecordKeys(folder);
  expect(await keepRecordKeys(folder)).toEqual(keys);
  expect((await stat(path.join(folder, 'record-keys.json'))).mode & 0o777).toBe(0o600);
  const settings = {
    DATABASE_URL: 'postgres://later',
    ADMIN_WALLET: `0x${'1'.repeat(64)}`,
    ADMIN_PASSWORD: 'long enough',
  };
  const config = readConfig({ ...settings, ...keys });
  expect(config.logPrivateKey).toHaveLength(32);
  expect(config.anchorKey?.getSecretKey()).toBe(keys.ANCHOR_PRIVATE_KEY);
  expect(config.pushKey?.publicKey).toHaveLength(87);
});
