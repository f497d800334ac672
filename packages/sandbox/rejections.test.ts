import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { toBase58 } from '@mysten/sui/utils';
import { expect, test } from 'vitest';
import {
  balanceOf,
  FAUCET_MIST,
  fundedAccount,
  newAddress,
  payment,
  sandboxForTest,
  type TestSandbox,
} from './testing/sandbox.ts';

async function signed(sandbox: TestSandbox, key: Ed25519Keypair, transaction: Transaction) {
  transaction.setSenderIfNotSet(key.toSuiAddress());
  const bytes = await transaction.build({ client: sandbox.client });
  const { signature } = await key.signTransaction(bytes);
  return { transaction: bytes, signatures: [signature] };
}

test('bytes changed after signing are refused', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const { transaction, signatures } = await signed(sandbox, payer, payment(payer.toSuiAddress(), recipient, 5n));
  const at = Buffer.from(transaction).indexOf(Buffer.of(5, 0, 0, 0, 0, 0, 0, 0));

  await expect(
    sandbox.client.executeTransaction({ transaction: transaction.with(at, 6), signatures }),
  ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('Signature is not valid') });
  await expect(
    sandbox.client.executeTransaction({ transaction: transaction.slice(0, -1), signatures }),
  ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('invalid transaction') });
  expect(await balanceOf(sandbox.client, recipient)).toBe(0n);
});

test('a coin at an old version is refused with the version that it has now', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const first = await signed(sandbox, payer, payment(payer.toSuiAddress(), recipient, 1n));
  const second = await signed(sandbox, payer, payment(payer.toSuiAddress(), recipient, 2n));
  await sandbox.client.executeTransaction(first);

  await expect(sandbox.client.executeTransaction(second)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(
      /Transaction needs to be rebuilt because object 0x[0-9a-f]{64} version 0x\w+ \(\w+\) is unavailable for consumption, current version: 0x\w+/,
    ),
  });
  expect(await balanceOf(sandbox.client, recipient)).toBe(1n);
});

test('exactly one of two simultaneous payments with the same coin succeeds', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const rivals = await Promise.all(
    [1n, 2n, 3n, 4n].map((amount) => signed(sandbox, payer, payment(payer.toSuiAddress(), recipient, amount))),
  );

  const results = await Promise.allSettled(rivals.map((rival) => sandbox.client.executeTransaction(rival)));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the same transaction sent many times has one response and one effect', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const request = await signed(sandbox, payer, payment(payer.toSuiAddress(), recipient, 3n));
  const execute = () => sandbox.client.executeTransaction({ ...request, include: { effects: true } });

  const responses = await Promise.all([execute(), execute(), execute()]);
  responses.push(await execute());

  for (const response of responses) expect(response).toEqual(responses[0]);
  expect(await balanceOf(sandbox.client, recipient)).toBe(3n);
});

test('a split of more than the balance fails on chain: it is recorded and charged for gas, without other effects', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = await fundedAccount(sandbox);
  const sender = payer.toSuiAddress();
  const recipient = newAddress();
  const transaction = payment(sender, recipient, FAUCET_MIST);
  transaction.setGasBudget(10_000_000n);
  const sent = await client.executeTransaction({
    ...(await signedUnchecked(sandbox, payer, transaction)),
    include: { effects: true, balanceChanges: true },
  });

  expect(sent.FailedTransaction?.status.error).toMatchObject({ message: 'InsufficientCoinBalance in command 0' });
  const changes = sent.FailedTransaction?.balanceChanges ?? [];
  expect(changes).toHaveLength(1);
  expect(await balanceOf(client, sender)).toBe(FAUCET_MIST + BigInt(changes[0]?.amount ?? 0));
  expect(BigInt(changes[0]?.amount ?? 0)).toBeLessThan(0n);
  const read = await client.getTransaction({ digest: sent.FailedTransaction?.digest ?? '' });
  expect(read.$kind).toBe('FailedTransaction');
  expect(await balanceOf(client, recipient)).toBe(0n);
});

test('a gas budget that does not cover storage is charged in full, without other effects', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const transaction = payment(payer.toSuiAddress(), recipient, 1n);
  transaction.setGasBudget(1_000_000n);
  const result = await sandbox.client.executeTransaction(await signedUnchecked(sandbox, payer, transaction));

  expect(result.FailedTransaction?.status.error?.message).toBe('InsufficientGas');
  expect(await balanceOf(sandbox.client, payer.toSuiAddress())).toBe(FAUCET_MIST - 1_000_000n);
  expect(await balanceOf(sandbox.client, recipient)).toBe(0n);
});

/** Chooses gas by hand, since the client refuses to build what simulation says will fail. */
async function signedUnchecked(sandbox: TestSandbox, key: Ed25519Keypair, transaction: Transaction) {
  const { objects } = await sandbox.client.listCoins({ owner: key.toSuiAddress() });
  transaction.setGasPrice(1000n);
  transaction.setGasPayment(objects.map(({ objectId, version, digest }) => ({ objectId, version, digest })));
  return signed(sandbox, key, transaction);
}

test('an expired transaction and one for another chain are refused', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const { chainIdentifier: chain } = await sandbox.client.getChainIdentifier();
  const window = { minEpoch: '1', maxEpoch: '2', minTimestamp: null, maxTimestamp: null, nonce: 7, chain };
  const withExpiration = async (expiration: Parameters<Transaction['setExpiration']>[0]) => {
    const transaction = payment(payer.toSuiAddress(), newAddress(), 1n);
    transaction.setGasBudget(10_000_000n);
    transaction.setExpiration(expiration);
    return sandbox.client.executeTransaction(await signedUnchecked(sandbox, payer, transaction));
  };

  await expect(withExpiration({ Epoch: 0 })).rejects.toThrow(/Transaction Expired/);
  const elsewhere = { ...window, chain: toBase58(new Uint8Array(32).fill(1)) };
  await expect(withExpiration({ ValidDuring: elsewhere })).rejects.toThrow(/does not match network chain ID/);
  await expect(withExpiration({ ValidDuring: { ...window, minEpoch: '2', maxEpoch: '3' } })).rejects.toThrow(/Expired/);
  expect((await withExpiration({ ValidDuring: window })).$kind).toBe('Transaction');
});

test('a Move call is refused with a sentence that explains the reason', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const transaction = new Transaction();
  transaction.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [] });
  await expect(signed(sandbox, payer, transaction)).rejects.toThrow(/has no Move VM and cannot call/);
});
