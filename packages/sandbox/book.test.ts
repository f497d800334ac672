import { readFile } from 'node:fs/promises';
import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildSetPayers, type Book, readBook, readPaid } from '../../chain/book.ts';
import { newBook, publishForGood } from '../../lab/testing/book.ts';
import { type OwnCoin, publishCoin } from './testing/own-coins.ts';
import {
  control,
  fundedAccount,
  newAddress,
  openSandbox,
  sandboxForTest,
  type TestSandbox,
} from './testing/sandbox.ts';

type Units = number | 'MAX';
interface Step {
  by?: string;
  have?: Units;
  pay?: [account: string, total: Units, atMost: Units, pays: Units][];
  payers?: string[];
  owner?: string;
  aborts?: number;
  epochs?: number;
  account?: string;
  coins?: number;
  sum?: Units;
  totalPaid?: Units;
}

const folder = new URL('../../chain/move/book/', import.meta.url);
const table: { title: string; steps: Step[] }[] = JSON.parse(await readFile(new URL('cases.json', folder), 'utf8'));
const unitsOf = (units: Units = 0): bigint => (units === 'MAX' ? 2n ** 64n - 1n : BigInt(units));

describe("the sandbox's Book passes the test table of the Move source [R97]", () => {
  let sandbox: TestSandbox;
  let packageId = '';
  const keys = new Map<string, Ed25519Keypair>();
  const key = (name = ''): Ed25519Keypair => keys.get(name) ?? raise(name);
  beforeAll(async () => {
    sandbox = await openSandbox();
    for (const name of ['OWNER', 'KEY', 'THIEF']) keys.set(name, await fundedAccount(sandbox));
    packageId = await publishForGood(sandbox.client, key('OWNER'));
    return sandbox.close;
  });

  async function send(transaction: Transaction, by: string) {
    transaction.setGasBudget(100_000_000n);
    const include = { effects: true, events: true, objectTypes: true } as const;
    const { Transaction: done, FailedTransaction: failed } = await sandbox.client.core.signAndExecuteTransaction({
      transaction,
      signer: key(by),
      include,
    });
    return failed ?? done;
  }

  async function mint({ coinType, treasuryCap }: OwnCoin, units: bigint, recipient: string): Promise<string> {
    const transaction = new Transaction();
    const coin = transaction.moveCall({
      target: '0x2::coin::mint',
      typeArguments: [coinType],
      arguments: [transaction.object(treasuryCap), transaction.pure.u64(units)],
    });
    transaction.transferObjects([coin], recipient);
    const { objectTypes } = await send(transaction, 'OWNER');
    return (
      Object.entries(objectTypes).find(([, type]) => type.includes('::Coin<0x') && type.includes('COIN'))?.[0] ?? ''
    );
  }

  async function run(book: Book, coin: OwnCoin, step: Step, addressOf: (name: string) => string) {
    const by = step.by ?? '';
    const transaction = new Transaction();
    const call = (name: string, args: TransactionArgument[]) =>
      transaction.moveCall({
        target: `${packageId}::book::${name}`,
        typeArguments: [coin.coinType],
        arguments: [transaction.object(book.id), ...args],
      });
    if (step.pay) {
      const from = transaction.object(await mint(coin, unitsOf(step.have), addressOf(by)));
      for (const [account, total, atMost] of step.pay) {
        const [all, most] = [transaction.pure.u64(unitsOf(total)), transaction.pure.u64(unitsOf(atMost))];
        call('pay', [from, transaction.pure.address(addressOf(account)), all, most]);
      }
    } else if (step.payers) {
      call('set_payers', [transaction.pure.vector('address', step.payers.map(addressOf))]);
    } else {
      call('set_owner', [transaction.pure.address(addressOf(step.owner ?? ''))]);
    }
    return send(transaction, by);
  }

  test.each(table)('$title', async ({ steps }) => {
    const { client } = sandbox;
    const coin = await publishCoin(client, key('OWNER'));
    const book = await newBook(client, key('OWNER'), packageId, coin.coinType);
    const addresses = new Map([...keys].map(([name, one]) => [name, one.toSuiAddress()]));
    const addressOf = (name: string): string => {
      const known = addresses.get(name) ?? newAddress();
      addresses.set(name, known);
      return known;
    };
    await run(book, coin, { by: 'OWNER', payers: ['OWNER', 'KEY'] }, addressOf);
    for (const step of steps) {
      const payees = (step.pay ?? []).filter(([, , , pays]) => pays !== 0).map(([name]) => addressOf(name));
      const expected =
        step.account === undefined
          ? (step.aborts?.toString() ?? { events: payees.length, paysOfItsOwn: payees.length })
          : { coins: step.coins, received: unitsOf(step.sum), paid: unitsOf(step.sum), all: unitsOf(step.totalPaid) };
      expect(await outcomeOf(step, payees)).toEqual(step.epochs === undefined ? expected : null);
    }

    async function outcomeOf(step: Step, payees: string[]) {
      for (let epoch = 0; epoch < (step.epochs ?? 0); epoch += 1) await control(sandbox, { endEpoch: true });
      if (step.epochs !== undefined) return null;
      if (step.account !== undefined) return received(addressOf(step.account));
      const done = await run(book, coin, step, addressOf).catch((error: unknown) => String(error));
      if (typeof done === 'string') return /abort code: (\d+),/.exec(done)?.[1] ?? done;
      const entries = await readPaid(client, book, payees);
      return {
        events: done.events.length,
        paysOfItsOwn: entries.filter(({ digest }) => digest === done.digest).length,
      };
    }

    async function received(owner: string) {
      const { objects } = await client.core.listCoins({ owner, coinType: coin.coinType });
      const [paid] = await readPaid(client, book, [owner]);
      const all = (await readBook(client, book.id))?.totalPaid;
      const sum = objects.reduce((units, { balance }) => units + BigInt(balance), 0n);
      return { coins: objects.length, received: sum, paid: paid?.total, all };
    }
  });
});

function raise(name: string): never {
  throw new Error(`no key ${name}`);
}

test('a failed payment charges its gas and changes nothing in the Book but its version', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const [owner, stranger] = [await fundedAccount(sandbox), await fundedAccount(sandbox)];
  const packageId = await publishForGood(client, owner);
  const book = await newBook(client, owner, packageId, '0x2::sui::SUI');
  const transaction = buildSetPayers({ ...book, owner: stranger.toSuiAddress() }, [newAddress()]);
  const { objects } = await client.core.listCoins({ owner: stranger.toSuiAddress() });
  transaction.setGasPayment(objects.map(({ objectId, version, digest }) => ({ objectId, version, digest })));
  transaction.setGasPrice(1_000n);
  transaction.setGasBudget(10_000_000n);
  const include = { effects: true } as const;
  const done = await client.core.signAndExecuteTransaction({ transaction, signer: stranger, include });
  expect(done.FailedTransaction?.status.error?.MoveAbort).toMatchObject({ abortCode: '0' });
  const { objects: left } = await client.core.listCoins({ owner: stranger.toSuiAddress() });
  expect(BigInt(left[0]?.balance ?? 0)).toBeLessThan(200_000_000_000n);
  expect(await readBook(client, book.id)).toEqual(book);
  const changed = done.FailedTransaction?.effects.changedObjects.find(({ objectId }) => objectId === book.id);
  expect(Number(changed?.outputVersion)).toBeGreaterThan(Number(changed?.inputVersion));
});

test('the sandbox runs a published package only if its bytes are those of the Book', async () => {
  const sandbox = await sandboxForTest();
  const key = await fundedAccount(sandbox);
  const snaps = new Uint8Array(await readFile(new URL('../snaps/snaps.mv', folder)));
  const packageId = await publishForGood(sandbox.client, key, snaps);
  await expect(newBook(sandbox.client, key, packageId, '0x2::sui::SUI')).rejects.toThrow(/no Move VM and cannot call/);
});
