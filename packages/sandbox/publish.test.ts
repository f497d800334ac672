import { readFile } from 'node:fs/promises';
import { deserialize, serialize } from '@mysten/move-bytecode-template';
import { Transaction } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import { createdTypes, sendObject } from './testing/own-coins.ts';
import { buildPublication } from '../../chain/publication.ts';
import { balanceOf, coinPayment, fundedAccount, newAddress, sandboxForTest } from './testing/sandbox.ts';

const module = new Uint8Array(await readFile(new URL('../../chain/move/snaps/snaps.mv', import.meta.url)));
const coinOf = (types: Map<string, string>): string =>
  [...types.values()].flatMap((type) => /::TreasuryCap<(.+)>$/.exec(type)?.[1] ?? [])[0] ?? '';
const UNITS = 2n ** 64n - 1n;

async function publisher() {
  const sandbox = await sandboxForTest();
  const key = await fundedAccount(sandbox);
  return { sandbox, client: sandbox.client, key, owner: key.toSuiAddress() };
}

test('publishing our coin runs its init: caps, metadata and first supply belong to the sender', async () => {
  const { client, key, owner } = await publisher();
  const types = await createdTypes(client, buildPublication(owner, { coin: module }), key);
  const coinType = coinOf(types);
  const [packageId = ''] = coinType.split('::');
  expect(coinType).toBe(`${packageId}::snaps::SNAPS`);
  expect(types.get(packageId)).toBe('package');
  expect(
    [...types.values()]
      .filter((type) => type !== 'package')
      .map((type) => type.split('<')[0]?.split('::').at(-1))
      .toSorted((one = '', other = '') => one.localeCompare(other)),
  ).toEqual(['Coin', 'CoinMetadata', 'TreasuryCap', 'UpgradeCap']);
  expect(await balanceOf(client, owner, coinType)).toBe(UNITS);
  const { response } = await client.stateService.getCoinInfo({ coinType });
  expect(response).toMatchObject({
    metadata: { decimals: 255, symbol: 'SYMBOL, SET FOR EACH SITE', name: 'The name of the coin, set for each site' },
    treasury: { totalSupply: UNITS },
  });
  expect((await client.movePackageService.getPackage({ packageId })).response.package).toMatchObject({
    originalId: packageId,
    version: 1n,
  });
  const cap = [...types].find(([, type]) => type.includes('TreasuryCap'))?.[0] ?? '';
  await client.signAndExecuteTransaction({ transaction: sendObject(cap, '0x0'), signer: key });
  expect((await client.stateService.getCoinInfo({ coinType })).response.treasury).toMatchObject({ supplyState: 1 });
});

test('a published coin is minted and paid like any other', async () => {
  const { client, key, owner } = await publisher();
  const read = deserialize(module);
  read.constant_pool[4].data = [0, 0, 0, 0, 0, 0, 0, 1];
  const types = await createdTypes(client, buildPublication(owner, { coin: serialize(read) }), key);
  const coinType = coinOf(types);
  const cap = [...types].find(([, type]) => type.includes('TreasuryCap'))?.[0] ?? '';
  const recipient = newAddress();
  const transaction = new Transaction();
  const coin = transaction.moveCall({
    target: '0x2::coin::mint',
    typeArguments: [coinType],
    arguments: [transaction.object(cap), transaction.pure.u64(70n)],
  });
  transaction.transferObjects([coin], recipient);
  await client.signAndExecuteTransaction({ transaction, signer: key });
  await client.signAndExecuteTransaction({ transaction: coinPayment(owner, recipient, coinType, 30n), signer: key });
  expect(await balanceOf(client, recipient, coinType)).toBe(100n);
});

test('publishing a module with two equal constants fails, as on a real node', async () => {
  const { client, key, owner } = await publisher();
  const read = deserialize(module);
  read.constant_pool[2] = read.constant_pool[1];
  const transaction = buildPublication(owner, { coin: serialize(read) });
  await expect(client.signAndExecuteTransaction({ transaction, signer: key })).rejects.toThrow(
    'VMVerificationOrDeserializationError in command 0',
  );
});

test('other packages are refused before anything runs, with the reason', async () => {
  const { client, key, owner } = await publisher();
  const send = (transaction: Transaction) => client.signAndExecuteTransaction({ transaction, signer: key });
  const two = new Transaction();
  two.transferObjects([two.publish({ modules: [[...module], [...module]], dependencies: ['0x1', '0x2'] })], owner);
  await expect(send(two)).rejects.toThrow('packages of one module');
  const read = deserialize(module);
  read.identifiers[read.identifiers.indexOf('mint')] = 'mink';
  await expect(send(buildPublication(owner, { coin: serialize(read) }))).rejects.toThrow(
    /cannot run Call 0x0+2::coin::mink in init/,
  );
});
