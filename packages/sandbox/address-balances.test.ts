import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { toBase58 } from '@mysten/sui/utils';
import { expect, test } from 'vitest';
import { sendFunds } from './testing/own-coins.ts';
import {
  balanceOf,
  control,
  demoAdmin,
  fundedAccount,
  newAddress,
  sandboxForTest,
  type TestSandbox,
} from './testing/sandbox.ts';

const SUI = '0x2::sui::SUI';
const FULL_SUI = `0x${'2'.padStart(64, '0')}::sui::SUI`;

/** A wallet whose whole money, SUI included, is in its address balance. */
async function walletWithoutCoins(sandbox: TestSandbox, key: Ed25519Keypair): Promise<string> {
  const owner = key.toSuiAddress();
  const transaction = new Transaction();
  transaction.setSender(owner);
  transaction.moveCall({
    target: '0x2::coin::send_funds',
    typeArguments: [SUI],
    arguments: [transaction.splitCoins(transaction.gas, [150_000_000_000n]), transaction.pure.address(owner)],
  });
  transaction.transferObjects([transaction.gas], newAddress());
  await sandbox.client.signAndExecuteTransaction({ transaction, signer: key });
  expect((await sandbox.client.listCoins({ owner })).objects).toEqual([]);
  return owner;
}

const INCLUDE = { effects: true, balanceChanges: true, transaction: true } as const;

test('an address balance pays a coin and its gas, with the effects of a full node', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = await walletWithoutCoins(sandbox, key);
  const recipient = newAddress();
  const transaction = new Transaction();
  transaction.setSender(owner);
  transaction.transferObjects([transaction.coin({ balance: 7_000_000_000n })], recipient);
  const sent = await client.signAndExecuteTransaction({ transaction, signer: key, include: INCLUDE });
  const done = sent.Transaction;
  if (!done) throw new Error('the payment failed');
  const { computationCost, storageCost, storageRebate } = done.effects.gasUsed;
  const gas = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
  expect(done.effects.gasObject).toBeNull();
  expect(done.transaction.gasData.payment).toEqual([]);
  expect(done.transaction.expiration).toMatchObject({ ValidDuring: { minEpoch: '1', maxEpoch: '2' } });
  expect(done.balanceChanges).toHaveLength(2);
  expect(done.balanceChanges).toContainEqual({ address: recipient, coinType: FULL_SUI, amount: '7000000000' });
  expect(done.balanceChanges).toContainEqual({
    address: owner,
    coinType: FULL_SUI,
    amount: String(-7_000_000_000n - gas),
  });
  expect(done.effects.changedObjects).toContainEqual(
    expect.objectContaining({ outputState: 'AccumulatorWriteV1', idOperation: 'None' }),
  );
  expect(await balanceOf(client, owner)).toBe(143_000_000_000n - gas);
  const { response } = await client.ledgerService.getTransaction({
    digest: done.digest,
    readMask: { paths: ['effects.changed_objects'] },
  });
  const write = response.transaction?.effects?.changedObjects.find(({ accumulatorWrite }) => accumulatorWrite);
  expect(write?.accumulatorWrite).toMatchObject({
    address: owner,
    accumulatorType: `0x${'2'.padStart(64, '0')}::balance::Balance<${FULL_SUI}>`,
    operation: 2,
    valueKind: 1,
    integerValue: 7_000_000_000n + gas,
  });
});

test('coins and address balance pay together, as the gas coin and as another coin', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const { key: admin, snapsType } = await demoAdmin(sandbox);
  const key = await fundedAccount(sandbox);
  const [owner, recipient] = [key.toSuiAddress(), newAddress()];
  for (const coinType of [SUI, snapsType])
    await client.signAndExecuteTransaction({
      transaction: sendFunds(admin.toSuiAddress(), { coinType, amount: 90_000_000_000n, recipient: owner }),
      signer: admin,
    });
  const half = new Transaction();
  half.transferObjects([half.coin({ type: snapsType, balance: 40_000_000_000n })], owner);
  await client.signAndExecuteTransaction({ transaction: half, signer: key });
  const both = new Transaction();
  both.transferObjects([both.coin({ balance: 250_000_000_000n })], recipient);
  both.moveCall({
    target: '0x2::balance::send_funds',
    typeArguments: [snapsType],
    arguments: [both.balance({ type: snapsType, balance: 80_000_000_000n }), both.pure.address(recipient)],
  });
  const sent = await client.signAndExecuteTransaction({ transaction: both, signer: key, include: INCLUDE });
  expect(sent.$kind).toBe('Transaction');
  expect(sent.Transaction?.transaction.gasData.payment).toHaveLength(2);
  const { balance } = await client.getBalance({ owner: recipient, coinType: snapsType });
  expect(balance).toMatchObject({ coinBalance: '0', addressBalance: '80000000000' });
  expect(await balanceOf(client, recipient)).toBe(250_000_000_000n);
  expect(await balanceOf(client, owner, snapsType)).toBe(10_000_000_000n);
  expect((await client.getBalance({ owner })).balance.addressBalance).toBe('0');
});

test('a transaction that spends no coin is executed once, within its epochs, and never without them', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const key = await fundedAccount(sandbox);
  const owner = await walletWithoutCoins(sandbox, key);
  const { chainIdentifier: chain } = await client.getChainIdentifier();
  const build = async (maxEpoch: string | null, amount = 1_000n) => {
    const transaction = new Transaction();
    transaction.setSender(owner);
    transaction.setGasPayment([]);
    transaction.setGasPrice(1_000);
    transaction.setGasBudget(10_000_000n);
    const window = { minEpoch: '1', minTimestamp: null, maxTimestamp: null, chain, nonce: 7 };
    transaction.setExpiration(maxEpoch === null ? { None: true } : { ValidDuring: { ...window, maxEpoch } });
    const redeemed = transaction.moveCall({
      target: '0x2::balance::redeem_funds',
      typeArguments: [SUI],
      arguments: [transaction.withdrawal({ amount })],
    });
    transaction.moveCall({
      target: '0x2::balance::send_funds',
      typeArguments: [SUI],
      arguments: [redeemed, transaction.pure.address(`0x${'7'.repeat(64)}`)],
    });
    const bytes = await transaction.build({ client });
    const { signature } = await key.signTransaction(bytes);
    return () => client.executeTransaction({ transaction: bytes, signatures: [signature] });
  };
  for (const send of [await build(null), await build('3')])
    await expect(send()).rejects.toThrow(/must either have address-owned inputs, or a ValidDuring expiration/);
  await expect((await build('1', 150_000_000_000n))()).rejects.toThrow(/Available amount in account .* is less than/);
  const [once, late] = [await build('1'), await build('1', 2_000n)];
  await Promise.all([once(), once(), once()]);
  expect(await balanceOf(client, `0x${'7'.repeat(64)}`)).toBe(1_000n);
  expect((await (await control(sandbox, { endEpoch: true })).json()) as object).toMatchObject({ epoch: 2 });
  await expect(late()).rejects.toThrow(/Transaction Expired/);
  expect(await balanceOf(client, `0x${'7'.repeat(64)}`)).toBe(1_000n);
});

test('a reservation of another epoch or chain, and a balance used as a coin, are refused', async () => {
  const sandbox = await sandboxForTest();
  const key = await fundedAccount(sandbox);
  const owner = await walletWithoutCoins(sandbox, key);
  const { chainIdentifier: chain } = await sandbox.client.getChainIdentifier();
  const pay = (payment: Parameters<Transaction['setGasPayment']>[0], asCoin = true) => {
    const transaction = new Transaction();
    transaction.setSender(owner);
    transaction.setGasPayment(payment);
    transaction.setGasPrice(1_000);
    transaction.setGasBudget(10_000_000n);
    const window = { minEpoch: '1', maxEpoch: '1', minTimestamp: null, maxTimestamp: null, chain, nonce: 7 };
    transaction.setExpiration({ ValidDuring: window });
    const redeemed = transaction.moveCall({
      target: `0x2::${asCoin ? 'coin' : 'balance'}::redeem_funds`,
      typeArguments: [SUI],
      arguments: [transaction.withdrawal({ amount: 5n })],
    });
    transaction.transferObjects([redeemed], newAddress());
    return transaction;
  };
  const digest = toBase58(Uint8Array.from({ length: 32 }, (_, at) => (at < 12 ? 0 : 0xac)));
  const foreign = pay([{ objectId: newAddress(), version: '0', digest }]);
  await expect(sandbox.client.signAndExecuteTransaction({ transaction: foreign, signer: key })).rejects.toThrow(
    /Invalid withdraw reservation/,
  );
  const failed = await sandbox.client.signAndExecuteTransaction({ transaction: pay([], false), signer: key });
  expect(failed.FailedTransaction?.status.error?.message).toMatch(/TypeMismatch/);
});
