import { Transaction } from '@mysten/sui/transactions';
import { bcs } from '@mysten/sui/bcs';
import { expect, test } from 'vitest';
import { balanceOf, FAUCET_MIST, fundedAccount, MIST_PER_SUI, newAddress, payment, sandboxForTest } from './testing.ts';

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

test('one split pays several people, and the change comes back', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const recipients = [newAddress(), newAddress(), newAddress()];
  const transaction = new Transaction();
  const coins = transaction.splitCoins(transaction.gas, [1n, 2n, 3n]);
  for (const [index, recipient] of recipients.entries())
    transaction.transferObjects([transaction.object(coins[index] ?? coins)], recipient);

  const result = await sandbox.client.signAndExecuteTransaction({ transaction, signer: payer });

  expect(result.$kind).toBe('Transaction');
  const balances = await Promise.all(recipients.map((recipient) => balanceOf(sandbox.client, recipient)));
  expect(balances).toEqual([1n, 2n, 3n]);
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

test('a sponsor pays for the gas of another address', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const [user, sponsor] = [await fundedAccount(sandbox), await fundedAccount(sandbox)];
  const recipient = newAddress();
  const { objects } = await client.listCoins({ owner: user.toSuiAddress() });
  const transaction = new Transaction();
  transaction.setSender(user.toSuiAddress());
  transaction.setGasOwner(sponsor.toSuiAddress());
  transaction.transferObjects([objects[0]?.objectId ?? ''], recipient);
  const bytes = await transaction.build({ client });
  const signatures = await Promise.all([user, sponsor].map((key) => key.signTransaction(bytes)));

  const result = await client.executeTransaction({
    transaction: bytes,
    signatures: signatures.map(({ signature }) => signature),
    include: { balanceChanges: true },
  });

  const changes = new Map(result.Transaction?.balanceChanges?.map((c) => [c.address, BigInt(c.amount)]));
  expect(changes.get(user.toSuiAddress())).toBe(-FAUCET_MIST);
  expect(changes.get(recipient)).toBe(FAUCET_MIST);
  expect(changes.get(sponsor.toSuiAddress())).toBeLessThan(0n);
});
