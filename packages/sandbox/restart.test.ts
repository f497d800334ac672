import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expect, onTestFinished, test } from 'vitest';
import { emptyIntoBalance, publishCoin, sendFunds } from './testing/own-coins.ts';
import { Chain } from './ledger/chain.ts';
import { Faucet } from './ledger/faucet.ts';
import {
  coinPayment,
  control,
  fundedAccount,
  newAddress,
  openSandbox,
  payment,
  type TestSandbox,
} from './testing/sandbox.ts';

const INCLUDE = { effects: true, balanceChanges: true, transaction: true, bcs: true, objectTypes: true } as const;

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function everythingAbout(sandbox: TestSandbox, digests: string[], owners: string[]) {
  const { client } = sandbox;
  return {
    chainId: (await client.getChainIdentifier()).chainIdentifier,
    epoch: (await client.getCurrentSystemState()).systemState,
    transactions: await Promise.all(digests.map((digest) => client.getTransaction({ digest, include: INCLUDE }))),
    objects: await Promise.all(
      owners.map((owner) => client.listOwnedObjects({ owner, include: { content: true, objectBcs: true } })),
    ),
    balances: await Promise.all(owners.map((owner) => client.listBalances({ owner }))),
    name: await client.resolveNameServiceAddress({ name: 'alice.sui' }),
  };
}

test('a restart finds the same chain: ids, digests, checkpoints, times, objects, balances, failures, names and epochs', async () => {
  const dir = temporaryDir();
  const before = await openSandbox({ dir });
  onTestFinished(before.close);
  const payer = await fundedAccount(before);
  const [sender, recipient] = [payer.toSuiAddress(), newAddress()];
  const digests: string[] = [];
  for (const amount of [1n, 2n]) {
    const sent = await before.client.signAndExecuteTransaction({
      transaction: payment(sender, recipient, amount),
      signer: payer,
    });
    digests.push(sent.Transaction?.digest ?? '');
  }
  digests.push(await failedPayment(before, payer));
  await publishCoin(before.client, payer);
  const funds = sendFunds(sender, { coinType: '0x2::sui::SUI', amount: 5n, recipient });
  await before.client.signAndExecuteTransaction({ transaction: funds, signer: payer });
  await control(before, { names: { 'alice.sui': recipient }, endEpoch: true });
  await emptyIntoBalance(before.client, payer, { coinType: '0x5::none::NONE', rest: newAddress() });
  const withdrawal = coinPayment(sender, recipient, '0x2::sui::SUI', 7n);
  const paid = await before.client.signAndExecuteTransaction({ transaction: withdrawal, signer: payer });
  digests.push(paid.Transaction?.digest ?? '');
  const known = await everythingAbout(before, digests, [sender, recipient]);
  await before.close();

  const after = await openSandbox({ dir });
  onTestFinished(after.close);

  expect(await everythingAbout(after, digests, [sender, recipient])).toEqual(known);
  expect(known.transactions.map((read) => read.$kind)).toEqual([
    'Transaction',
    'Transaction',
    'FailedTransaction',
    'Transaction',
  ]);
  const more = await after.client.signAndExecuteTransaction({
    transaction: coinPayment(sender, recipient, '0x2::sui::SUI', 3n),
    signer: payer,
  });
  expect(more.$kind).toBe('Transaction');
});

async function failedPayment({ client }: TestSandbox, payer: Ed25519Keypair): Promise<string> {
  const transaction = payment(payer.toSuiAddress(), newAddress(), 10n ** 15n);
  const { objects } = await client.listCoins({ owner: payer.toSuiAddress() });
  transaction.setGasPayment(objects.map(({ objectId, version, digest }) => ({ objectId, version, digest })));
  transaction.setGasPrice(1000n);
  transaction.setGasBudget(10_000_000n);
  const result = await client.signAndExecuteTransaction({ transaction, signer: payer });
  return result.FailedTransaction?.digest ?? '';
}

test('a last line that a kill cut off is dropped, and later lines are kept', async () => {
  const dir = temporaryDir();
  const file = join(dir, 'chain.log');
  const recipient = newAddress();
  const before = Chain.open(dir);
  const { coin } = await new Faucet(before).request(recipient);
  before.close();
  const whole = readFileSync(file, 'utf8');
  for (const cut of ['{"kind":"trans', '{"kind":"name","name":"a.sui","address":"0x1"}']) {
    appendFileSync(file, cut);
    const after = Chain.open(dir);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(after.objects.ownedBy(recipient)).toEqual([coin]);
    after.close();
  }
  const writer = Chain.open(dir);
  await new Faucet(writer).request(recipient);
  writer.close();

  const reader = Chain.open(dir);
  expect(reader.objects.ownedBy(recipient)).toHaveLength(2);
  reader.close();
});

test('a log damaged in the middle stops the start and names the place', async () => {
  const dir = temporaryDir();
  const file = join(dir, 'chain.log');
  const chain = Chain.open(dir);
  const faucet = new Faucet(chain);
  await faucet.request(newAddress());
  await faucet.request(newAddress());
  chain.close();
  const [genesis, , last] = readFileSync(file, 'utf8').split('\n');

  writeFileSync(file, `${genesis}\nrubbish\n${last}\n`);
  await expect(openSandbox({ dir })).rejects.toThrow(/chain\.log:2 is damaged/);
  writeFileSync(file, `${genesis}\n${last}\n`);
  await expect(openSandbox({ dir })).rejects.toThrow(/chain\.log:2 does not follow from the lines before it/);
});

test('a folder belongs to one running chain: a second one is refused, and nothing is written', async () => {
  const dir = temporaryDir();
  const first = await openSandbox({ dir });
  onTestFinished(first.close);
  const before = readFileSync(join(dir, 'chain.log'), 'utf8');
  await expect(openSandbox({ dir })).rejects.toThrow(/belongs to a sandbox chain that is running/);
  expect(readFileSync(join(dir, 'chain.log'), 'utf8')).toBe(before);
});
