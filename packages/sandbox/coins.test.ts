import { expect, test } from 'vitest';
import { sendFunds } from './testing/own-coins.ts';
import { balanceOf, coinPayment, demoAdmin, fundedAccount, newAddress, sandboxForTest } from './testing/sandbox.ts';

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

test('funds sent to an address are part of its balance and in no coin', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const { key: admin, snapsType: coinType } = await demoAdmin(sandbox);
  const owner = newAddress();
  const pay = coinPayment(admin.toSuiAddress(), owner, coinType, 20n);
  await client.signAndExecuteTransaction({ transaction: pay, signer: admin });
  const sent = await client.signAndExecuteTransaction({
    transaction: sendFunds(admin.toSuiAddress(), { coinType, amount: 30n, recipient: owner }),
    signer: admin,
    include: { balanceChanges: true },
  });
  expect(sent.Transaction?.balanceChanges).toContainEqual({ address: owner, coinType, amount: '30' });
  expect(sent.Transaction?.balanceChanges).toContainEqual({ address: admin.toSuiAddress(), coinType, amount: '-30' });
  expect((await client.listCoins({ owner, coinType })).objects).toMatchObject([{ balance: '20' }]);
  const balance = { coinType, balance: '50', coinBalance: '20', addressBalance: '30' };
  expect((await client.getBalance({ owner, coinType })).balance).toEqual(balance);
  expect((await client.listBalances({ owner })).balances).toEqual([balance]);
});
