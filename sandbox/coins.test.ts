import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import {
  balanceOf,
  coinPayment,
  demoAdmin,
  FAUCET_MIST,
  fund,
  fundedAccount,
  newAddress,
  sandboxForTest,
} from './testing.ts';

const SNAPS_SUPPLY = 1_000_000_000_000_000n;

test('the demo coin exists from genesis, with metadata, and belongs to the demo administrator', async () => {
  const sandbox = await sandboxForTest();
  const { key, snapsType } = await demoAdmin(sandbox);
  const { coinMetadata } = await sandbox.client.getCoinMetadata({ coinType: snapsType });
  const { balances } = await sandbox.client.listBalances({ owner: key.toSuiAddress() });

  expect(coinMetadata).toMatchObject({ symbol: 'SNAPS', decimals: 6 });
  expect(balances.find(({ coinType }) => coinType === snapsType)?.balance).toBe(String(SNAPS_SUPPLY));
  expect(balances).toHaveLength(2);
  expect(await sandbox.client.getCoinMetadata({ coinType: '0x5::none::NONE' })).toEqual({ coinMetadata: null });
});

test('another coin is split, sent, merged and spent to the last unit through coinWithBalance', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const { key: admin, snapsType } = await demoAdmin(sandbox);
  const holder = await fundedAccount(sandbox);
  const [owner, recipient] = [holder.toSuiAddress(), newAddress()];
  for (const amount of [30n, 20n])
    await client.signAndExecuteTransaction({
      transaction: coinPayment(admin.toSuiAddress(), owner, snapsType, amount),
      signer: admin,
    });
  expect((await client.listCoins({ owner, coinType: snapsType })).objects).toHaveLength(2);

  // 45 needs both coins; the last 5 leave a coin of zero, which the SDK destroys.
  await client.signAndExecuteTransaction({
    transaction: coinPayment(owner, recipient, snapsType, 45n),
    signer: holder,
  });
  const last = await client.signAndExecuteTransaction({
    transaction: coinPayment(owner, recipient, snapsType, 5n),
    signer: holder,
    include: { balanceChanges: true },
  });

  expect(last.Transaction?.balanceChanges).toContainEqual({ address: recipient, coinType: snapsType, amount: '5' });
  expect(last.Transaction?.balanceChanges).toContainEqual({ address: owner, coinType: snapsType, amount: '-5' });
  expect(await balanceOf(client, recipient, snapsType)).toBe(50n);
  expect((await client.listCoins({ owner, coinType: snapsType })).objects).toHaveLength(0);
  expect(await balanceOf(client, admin.toSuiAddress(), snapsType)).toBe(SNAPS_SUPPLY - 50n);
});

test('coinWithBalance works for SUI and for a zero amount', async () => {
  const sandbox = await sandboxForTest();
  const { snapsType } = await demoAdmin(sandbox);
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const transaction = new Transaction();
  transaction.transferObjects(
    [coinWithBalance({ balance: 9n }), coinWithBalance({ type: snapsType, balance: 0n })],
    recipient,
  );

  const result = await sandbox.client.signAndExecuteTransaction({ transaction, signer: payer });

  expect(result.$kind).toBe('Transaction');
  expect(await balanceOf(sandbox.client, recipient)).toBe(9n);
  expect((await sandbox.client.listCoins({ owner: recipient, coinType: snapsType })).objects).toHaveLength(1);
});

test('coins of different currencies cannot be merged, and another coin cannot pay for gas', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const { key: admin, snapsType } = await demoAdmin(sandbox);
  const { objects } = await client.listCoins({ owner: admin.toSuiAddress(), coinType: snapsType });
  const [snaps] = objects;
  if (!snaps) throw new Error('the administrator has no SNAPS');
  const merge = new Transaction();
  merge.setSender(admin.toSuiAddress());
  merge.mergeCoins(merge.gas, [snaps.objectId]);
  await expect(merge.build({ client })).rejects.toThrow(/CommandArgumentError \{ arg_idx: 1, kind: TypeMismatch \}/);

  const gas = new Transaction();
  gas.transferObjects([gas.splitCoins(gas.gas, [1n])], newAddress());
  gas.setGasBudget(10_000_000n);
  gas.setGasPayment([{ objectId: snaps.objectId, version: snaps.version, digest: snaps.digest }]);
  await expect(client.signAndExecuteTransaction({ transaction: gas, signer: admin })).rejects.toThrow(/Gas object/);
});

test('pages of a list together contain every item once', async () => {
  const sandbox = await sandboxForTest();
  const owner = newAddress();
  for (let count = 0; count < 5; count++) await fund(sandbox, owner);
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof sandbox.client.listOwnedObjects>> = await sandbox.client.listOwnedObjects({
      owner,
      limit: 2,
      cursor,
    });
    ids.push(...page.objects.map(({ objectId }) => objectId));
    cursor = page.hasNextPage ? page.cursor : null;
  } while (cursor);

  expect(new Set(ids).size).toBe(5);
  expect(await balanceOf(sandbox.client, owner)).toBe(5n * FAUCET_MIST);
  const { objects } = await sandbox.client.getObjects({
    objectIds: ids,
    include: { content: true, objectBcs: true, previousTransaction: true },
  });
  for (const object of objects)
    expect(object).toMatchObject({ owner: { AddressOwner: owner }, type: expect.stringContaining('::coin::Coin<') });
});
