import { GrpcTypes } from '@mysten/sui/grpc';
import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expect, test } from 'vitest';
import { control, fundedAccount, newAddress, payment, sandboxForTest, type TestSandbox } from './testing/sandbox.ts';

const { QueryEndReason } = GrpcTypes;

async function pay(sandbox: TestSandbox, from: Ed25519Keypair, to: string, times = 1): Promise<string[]> {
  const digests: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const transaction = await payment(from.toSuiAddress(), to, 1n).build({ client: sandbox.client });
    const { signature } = await from.signTransaction(transaction);
    const { Transaction } = await sandbox.client.executeTransaction({ transaction, signatures: [signature] });
    digests.push(Transaction?.digest ?? '');
  }
  return digests;
}

type Predicate = GrpcTypes.TransactionLiteral['predicate'];
const sentBy = (address: string): Predicate => ({ oneofKind: 'sender', sender: { address } });
const affecting = (address: string): Predicate => ({ oneofKind: 'affectedAddress', affectedAddress: { address } });
const all = (...literals: Array<Predicate | { not: Predicate }>): GrpcTypes.TransactionFilter => ({
  terms: [
    {
      literals: literals.map((one) =>
        'not' in one ? { negated: true, predicate: one.not } : { negated: false, predicate: one },
      ),
    },
  ],
});

async function framesOf({ client }: TestSandbox, request: Partial<GrpcTypes.ListTransactionsRequest>) {
  const call = client.ledgerService.listTransactions({ readMask: { paths: ['digest', 'checkpoint'] }, ...request });
  const frames: GrpcTypes.ListTransactionsResponse[] = [];
  for await (const frame of call.responses) frames.push(frame);
  const last = frames.at(-1);
  return {
    digests: frames.flatMap(({ transaction }) => transaction?.digest ?? []),
    reason: last?.end?.reason,
    covered: last?.watermark?.checkpoint,
    cursor: last?.watermark?.cursor,
    ends: frames.filter(({ end }) => end).length,
  };
}

test('the SDK reads the history of a sender page by page', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const [one, other] = [await fundedAccount(sandbox), await fundedAccount(sandbox)];
  const digests = await pay(sandbox, one, newAddress(), 5);
  await pay(sandbox, other, one.toSuiAddress());
  const filter = { sender: one.toSuiAddress() };
  const listed = (page: { transactions: { Transaction?: { digest: string } }[] }) =>
    page.transactions.map(({ Transaction }) => Transaction?.digest);

  const first = await client.listTransactions({ filter, limit: 2, include: { balanceChanges: true } });
  expect(listed(first)).toEqual(digests.slice(0, 2));
  expect(first.transactions[0]?.Transaction?.balanceChanges).toHaveLength(2);
  expect(first.hasNextPage).toBe(true);
  const rest = await client.listTransactions({ filter, limit: 3, after: first.endCursor });
  expect(listed(rest)).toEqual(digests.slice(2));
  expect(rest.hasNextPage).toBe(false);
});

test('the history of a recipient has received transactions, without those that the address sent', async () => {
  const sandbox = await sandboxForTest();
  const [one, other] = [await fundedAccount(sandbox), await fundedAccount(sandbox)];
  await pay(sandbox, one, other.toSuiAddress());
  const received = await pay(sandbox, other, one.toSuiAddress(), 2);
  const me = one.toSuiAddress();
  const filter = all(affecting(me), { not: sentBy(me) });
  // The faucet's transfer came first.
  expect((await framesOf(sandbox, { filter })).digests.slice(1)).toEqual(received);
});

test('each way to end (limit, scan limit, bound, tip) covers the reported range', async () => {
  const sandbox = await sandboxForTest();
  const payer = await fundedAccount(sandbox);
  const [one, two, three] = await pay(sandbox, payer, newAddress(), 3);
  const filter = all(sentBy(payer.toSuiAddress()));
  const nobody = all(sentBy(newAddress()));

  const tip = await framesOf(sandbox, { filter, startCheckpoint: 0n });
  expect(tip).toMatchObject({ digests: [one, two, three], reason: QueryEndReason.LEDGER_TIP, covered: 4n, ends: 1 });
  expect(await framesOf(sandbox, { filter, startCheckpoint: 2n, endCheckpoint: 4n })).toMatchObject({
    digests: [one, two],
    reason: QueryEndReason.CHECKPOINT_BOUND,
    covered: 3n,
  });
  const limited = await framesOf(sandbox, { filter, options: { limit: 2 } });
  expect(limited).toMatchObject({ digests: [one, two], reason: QueryEndReason.ITEM_LIMIT, covered: 2n, ends: 1 });
  const after = await framesOf(sandbox, { filter, options: { after: limited.cursor } });
  expect(after).toMatchObject({ digests: [three], reason: QueryEndReason.LEDGER_TIP, covered: 4n });
  expect(await framesOf(sandbox, { filter, startCheckpoint: 99n })).toMatchObject({
    digests: [],
    reason: QueryEndReason.LEDGER_TIP,
  });

  await control(sandbox, { scanLimit: 2 });
  const scanned = await framesOf(sandbox, { filter: nobody, startCheckpoint: 1n });
  expect(scanned).toMatchObject({ digests: [], reason: QueryEndReason.SCAN_LIMIT, covered: 2n });
  const resumed = await framesOf(sandbox, { filter: nobody, startCheckpoint: 1n, options: { after: scanned.cursor } });
  expect(resumed).toMatchObject({ digests: [], reason: QueryEndReason.LEDGER_TIP, covered: 4n });
});

test('a node that has not indexed the newest transactions ends before them, and a pruned one reports it', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = await fundedAccount(sandbox);
  const [one] = await pay(sandbox, payer, newAddress());
  await control(sandbox, { indexDelayMs: 60_000 });
  const [two] = await pay(sandbox, payer, newAddress());
  const filter = all(sentBy(payer.toSuiAddress()));
  expect((await client.ledgerService.getServiceInfo({})).response.checkpointHeight).toBe(3n);
  const behind = await framesOf(sandbox, { filter, startCheckpoint: 1n, endCheckpoint: 4n });
  expect(behind).toMatchObject({ digests: [one], reason: QueryEndReason.LEDGER_TIP, covered: 2n });
  await control(sandbox, { indexDelayMs: 0, lowestCheckpoint: 3 });

  expect((await client.ledgerService.getServiceInfo({})).response.lowestAvailableCheckpoint).toBe(3n);
  await expect(framesOf(sandbox, { filter, startCheckpoint: 1n })).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
  // Without a first checkpoint, the history begins where the node's does.
  expect((await framesOf(sandbox, { filter })).digests).toEqual([two]);
  expect((await framesOf(sandbox, { filter, startCheckpoint: 3n })).digests).toEqual([two]);
});
