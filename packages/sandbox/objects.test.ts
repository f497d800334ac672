import { bcs } from '@mysten/sui/bcs';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { expect, test } from 'vitest';
import { callWith, createdTypes, makeObjects, publishCoin, sendObject, upgradePackage } from './testing/own-coins.ts';
import { balanceOf, fundedAccount, newAddress, sandboxForTest } from './testing/sandbox.ts';

const UpgradeCap = bcs.struct('UpgradeCap', {
  id: bcs.Address,
  package: bcs.Address,
  version: bcs.u64(),
  policy: bcs.u8(),
});
const Publisher = bcs.struct('Publisher', { id: bcs.Address, package: bcs.string(), module_name: bcs.string() });
const UPGRADE_CAP = '0x2::package::UpgradeCap';
const PUBLISHER = '0x2::package::Publisher';
const treasuryCap = (coinType: string) => `0x2::coin::TreasuryCap<${coinType}>`;

test('the unmodified client finds the three caps of a published coin by type, with their contents', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = key.toSuiAddress();
  const coin = await publishCoin(client, key, { module: 'tide', name: 'TIDE' });
  expect(coin.coinType).toBe(`${coin.packageId}::tide::TIDE`);

  const find = async (type: string) =>
    (await client.listOwnedObjects({ owner, type, include: { content: true } })).objects;
  expect(await find(treasuryCap(coin.coinType))).toMatchObject([
    { objectId: coin.treasuryCap, type: normalizeStructTag(treasuryCap(coin.coinType)) },
  ]);
  const [upgrade] = await find(UPGRADE_CAP);
  expect(UpgradeCap.parse(upgrade?.content ?? new Uint8Array())).toEqual({
    id: coin.upgradeCap,
    package: coin.packageId,
    version: '1',
    policy: 0,
  });
  const [publisher] = await find(PUBLISHER);
  expect(Publisher.parse(publisher?.content ?? new Uint8Array())).toEqual({
    id: coin.publisher,
    package: coin.packageId.slice(2),
    module_name: 'tide',
  });
  expect(await find('0x2::coin::TreasuryCap')).toHaveLength(1);
  expect(await find(treasuryCap('0x2::sui::SUI'))).toEqual([]);
  expect((await client.listOwnedObjects({ owner })).objects).toHaveLength(4);

  const { objects } = await client.getObjects({
    objectIds: [coin.upgradeCap, newAddress()],
    include: { content: true, json: true, objectBcs: true },
  });
  expect(objects[0]).toMatchObject({
    owner: { AddressOwner: owner },
    json: { package: coin.packageId, version: '1', policy: '0' },
  });
  const bytes =
    'objectBcs' in (objects[0] ?? {}) ? (objects[0] as { objectBcs: Uint8Array }).objectBcs : new Uint8Array();
  expect(bcs.Object.parse(bytes).data.Move?.type.Other).toMatchObject({ module: 'package', name: 'UpgradeCap' });
  expect(objects[1]).toBeInstanceOf(Error);
});

test('a cap can be transferred, and no wallet holds it once it is burned', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const [key, other] = [await fundedAccount(sandbox), newAddress()];
  const owner = key.toSuiAddress();
  const coin = await publishCoin(client, key);
  const run = (transaction: Transaction) => client.signAndExecuteTransaction({ transaction, signer: key });
  const typesOf = async (address: string) =>
    (await client.listOwnedObjects({ owner: address })).objects.map(({ type }) => type.split('::')[2]?.split('<')[0]);

  await run(sendObject(coin.treasuryCap, other));
  expect(await typesOf(other)).toEqual(['TreasuryCap']);
  expect((await client.getObject({ objectId: coin.treasuryCap })).object).toMatchObject({
    owner: { AddressOwner: other },
  });
  await run(callWith('0x2::package::make_immutable', coin.upgradeCap));
  await run(callWith('0x2::package::burn_publisher', coin.publisher));
  expect(await typesOf(owner)).toEqual(['Coin']);
  await expect(client.getObject({ objectId: coin.upgradeCap })).rejects.toThrow(/not found/);
  await expect(run(sendObject(coin.treasuryCap, owner))).rejects.toThrow(/not signed by the correct sender/);
});

test('a cap mints its own coin only, and an upgrade moves the cap to the new package', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = key.toSuiAddress();
  const [coin, twin] = [await publishCoin(client, key), await publishCoin(client, key)];
  expect(twin.coinType.replace(twin.packageId, '')).toBe(coin.coinType.replace(coin.packageId, ''));
  expect(twin.coinType).not.toBe(coin.coinType);
  const mint = (coinType: string, cap: string) => {
    const transaction = new Transaction();
    const args = [transaction.object(cap), transaction.pure.u64(500)];
    const minted = transaction.moveCall({ target: '0x2::coin::mint', typeArguments: [coinType], arguments: args });
    transaction.transferObjects([minted], owner);
    return client.signAndExecuteTransaction({ transaction, signer: key });
  };
  expect((await mint(coin.coinType, coin.treasuryCap)).$kind).toBe('Transaction');
  expect(await balanceOf(client, owner, coin.coinType)).toBe(500n);
  await expect(mint(coin.coinType, twin.treasuryCap)).rejects.toThrow(/TypeMismatch|type mismatch/i);

  const upgrade = callWith('0x534e415053::maker::upgrade', coin.upgradeCap);
  expect((await client.signAndExecuteTransaction({ transaction: upgrade, signer: key })).$kind).toBe('Transaction');
  const { object } = await client.getObject({ objectId: coin.upgradeCap, include: { content: true } });
  const upgraded = UpgradeCap.parse(object.content);
  expect(upgraded).toMatchObject({ version: '2', policy: 0 });
  expect(upgraded.package).not.toBe(coin.packageId);
});

test('each version of a package is found by its id, with the id of the first one, and by nothing else', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const { packageId, upgradeCap } = await publishCoin(client, key);
  const packageOf = async (id: string) =>
    (await client.movePackageService.getPackage({ packageId: id })).response.package;
  expect(await packageOf(packageId)).toMatchObject({ storageId: packageId, originalId: packageId, version: 1n });
  for (const version of [2n, 3n]) {
    const id = await upgradePackage(client, key, { upgradeCap });
    expect(await packageOf(id)).toMatchObject({ storageId: id, originalId: packageId, version });
  }
  expect(await packageOf('0x2')).toMatchObject({ originalId: normalizeSuiAddress('0x2') });
  await expect(packageOf(upgradeCap)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(packageOf(newAddress())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('objects of any type can be made, except those of the framework', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = key.toSuiAddress();
  const fake = normalizeStructTag(`0xbad::coin::TreasuryCap<0xabc::coin::COIN>`);
  expect([...(await createdTypes(client, makeObjects(owner, [fake]), key)).values()]).toEqual([fake]);
  const real = treasuryCap('0xabc::coin::COIN');
  await expect(createdTypes(client, makeObjects(owner, [real]), key)).rejects.toThrow();
  expect((await client.listOwnedObjects({ owner, type: real })).objects).toEqual([]);
});

test('a wallet with many objects is read in pages', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = key.toSuiAddress();
  const type = normalizeStructTag('0xabc::dust::Dust');
  for (let round = 0; round < 2; round += 1)
    await createdTypes(
      client,
      makeObjects(
        owner,
        Array.from({ length: 400 }, () => type),
      ),
      key,
    );
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.listOwnedObjects>> = await client.listOwnedObjects({
      owner,
      type,
      cursor,
      limit: 300,
    });
    for (const { objectId } of page.objects) seen.add(objectId);
    cursor = page.hasNextPage ? page.cursor : null;
  } while (cursor !== null);
  expect(seen.size).toBe(800);
});
