import { Transaction } from '@mysten/sui/transactions';
import { bcs } from '@mysten/sui/bcs';
import { expect, test } from 'vitest';
import {
  balanceOf,
  FAUCET_MIST,
  fundedAccount,
  MIST_PER_SUI,
  newAddress,
  payment,
  sandboxForTest,
} from './testing/sandbox.ts';

const INCLUDE = { effects: true, balanceChanges: true, transaction: true, objectTypes: true, bcs: true } as const;

test('a payment passes from the faucet through wait to a read with effects and balance changes', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = await fundedAccount(sandbox);
  const sender = payer.toSuiAddress();
  const recipient = newAddress();

  const sent = await client.signAndExecuteTransaction({
    transaction: payment(sender, recipient, 15n * MIST_PER_SUI),
    signer: payer,
    include: INCLUDE,
  });
  await client.waitForTransaction({ result: sent });
  const digest = sent.Transaction?.digest ?? '';
  const { Transaction: read } = await client.getTransaction({ digest, include: INCLUDE });

  expect(read?.status).toEqual({ success: true, error: null });
  expect(read?.transaction?.sender).toBe(sender);
  expect(read?.checkpoint).not.toBeNull();
  expect(Math.abs((read?.timestampMs ?? 0) - Date.now())).toBeLessThan(60_000);
  const gas = read?.effects?.gasUsed;
  const paidForGas =
    BigInt(gas?.computationCost ?? 0) + BigInt(gas?.storageCost ?? 0) - BigInt(gas?.storageRebate ?? 0);
  expect(paidForGas).toBeGreaterThan(0n);
  expect(new Map(read?.balanceChanges?.map(({ address, amount }) => [address, BigInt(amount)]))).toEqual(
    new Map([
      [recipient, 15n * MIST_PER_SUI],
      [sender, -15n * MIST_PER_SUI - paidForGas],
    ]),
  );
  expect(await balanceOf(client, recipient)).toBe(15n * MIST_PER_SUI);
  expect(await balanceOf(client, sender)).toBe(FAUCET_MIST - 15n * MIST_PER_SUI - paidForGas);
  // The displayed effects equal the encoded ones.
  const encoded = bcs.TransactionEffects.parse(read?.effects?.bcs ?? new Uint8Array());
  expect(encoded.V2?.transactionDigest).toBe(digest);
  expect(encoded.V2?.gasUsed).toEqual(gas);
  expect(encoded.V2?.changedObjects.map(([id]) => id)).toEqual(read?.effects?.changedObjects.map((o) => o.objectId));
});

test('a whole balance can be sent away with the gas coin itself', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const transaction = new Transaction();
  transaction.transferObjects([transaction.gas], recipient);

  await sandbox.client.signAndExecuteTransaction({ transaction, signer: payer });

  expect(await balanceOf(sandbox.client, payer.toSuiAddress())).toBe(0n);
  expect(await balanceOf(sandbox.client, recipient)).toBeGreaterThan(FAUCET_MIST - MIST_PER_SUI);
});
