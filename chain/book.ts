import { bcs } from '@mysten/sui/bcs';
import type { SuiClientTypes } from '@mysten/sui/client';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { Inputs, Transaction } from '@mysten/sui/transactions';
import { deriveDynamicFieldID, normalizeStructTag, normalizeSuiAddress, parseStructTag } from '@mysten/sui/utils';
import { chooseFunds, type CoinLister, gather } from './funds.ts';
import { SUI } from './money-flow.ts';

/**
 * The Book (R97): a shared object of chain/move/book, which remembers the total that was ever paid to each wallet. What
 * was paid already pays nothing, so the same transaction may be sent twice, late, or by two servers.
 */

const CALL_MS = 8_000;
/** Objects that a node returns in one response. */
const PAGE = 50;
const MODULE = 'book';

const Contents = bcs.struct('Book', {
  id: bcs.Address,
  owner: bcs.Address,
  payers: bcs.vector(bcs.Address),
  paid: bcs.struct('Table', { id: bcs.Address, size: bcs.u64() }),
  totalPaid: bcs.u128(),
});
const Entry = bcs.struct('Entry', { id: bcs.Address, account: bcs.Address, total: bcs.u64() });

export interface Book {
  id: string;
  packageId: string;
  coinType: string;
  /** Version at which it became shared. */
  sharedSince: string;
  owner: string;
  payers: string[];
  /** The object whose fields are the totals. */
  tableId: string;
  wallets: number;
  totalPaid: bigint;
}

type Reader = Pick<SuiGrpcClient, 'core'>;

/** Null if the id names no Book. @throws errors of the node */
export async function readBook(client: Reader, id: string): Promise<Book | null> {
  const signal = AbortSignal.timeout(CALL_MS);
  const { objects } = await client.core.getObjects({ objectIds: [id], include: { content: true }, signal });
  const [object] = objects;
  if (!object || object instanceof Error) return missing(object);
  const { address: packageId, module, name, typeParams } = parseStructTag(object.type);
  const [coin] = typeParams;
  if (module !== MODULE || name !== 'Book' || coin === undefined || object.owner.$kind !== 'Shared') return null;
  const { owner, payers, paid, totalPaid } = Contents.parse(object.content);
  return {
    id: normalizeSuiAddress(id),
    packageId: normalizeSuiAddress(packageId),
    coinType: typeof coin === 'string' ? coin : normalizeStructTag(coin),
    sharedSince: object.owner.Shared.initialSharedVersion,
    owner,
    payers,
    tableId: paid.id,
    wallets: Number(paid.size),
    totalPaid: BigInt(totalPaid),
  };
}

function missing(error: Error | undefined): null {
  if (error === undefined) throw new Error('the node did not answer about an object');
  if ('code' in error && error.code === 'notExists') return null;
  throw error;
}

export interface Paid {
  total: bigint;
  /** The last transaction that paid the wallet; null if nothing was paid. */
  digest: string | null;
}

/** Totals that the Book has paid to the wallets, in their order. @throws errors of the node */
export async function readPaid(
  client: Reader,
  { tableId }: Pick<Book, 'tableId'>,
  accounts: readonly string[],
): Promise<Paid[]> {
  const ids = accounts.map((account) => entryId(tableId, account));
  const paid: Paid[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const { objects } = await client.core.getObjects({
      objectIds: ids.slice(at, at + PAGE),
      include: { content: true, previousTransaction: true },
      signal: AbortSignal.timeout(CALL_MS),
    });
    paid.push(...objects.map(paidOf));
  }
  return paid;
}

type Field = SuiClientTypes.GetObjectsResponse<{ content: true; previousTransaction: true }>['objects'][number];

function paidOf(field: Field): Paid {
  if (field instanceof Error) return missing(field) ?? { total: 0n, digest: null };
  return { total: BigInt(Entry.parse(field.content).total), digest: field.previousTransaction };
}

/** Whole coins that Books of any coin have paid to a wallet; a Book whose network was wiped counts as none. @throws errors of the node */
export async function readCoinsPaid(client: Reader, bookIds: readonly string[], wallet: string): Promise<number> {
  const paidBy = async (id: string): Promise<number> => {
    const book = await readBook(client, id);
    if (!book) return 0;
    const [[paid], { coinMetadata }] = await Promise.all([
      readPaid(client, book, [wallet]),
      client.core.getCoinMetadata({ coinType: book.coinType }),
    ]);
    if (!coinMetadata) throw new Error('the node does not know the decimals of the coin');
    return Number((paid?.total ?? 0n) / 10n ** BigInt(coinMetadata.decimals));
  };
  return (await Promise.all(bookIds.map(paidBy))).reduce((sum, paid) => sum + paid, 0);
}

const entryId = (tableId: string, account: string): string =>
  deriveDynamicFieldID(tableId, 'address', bcs.Address.serialize(account).toBytes());

export interface Due {
  account: string;
  /** Everything ever approved for the wallet, in the Book's units. */
  total: bigint;
  /** Units of its open withdrawals: the Book aborts if it has to pay more than these. */
  atMost: bigint;
}

export type BookCalls = Pick<Book, 'id' | 'packageId' | 'coinType' | 'sharedSince'>;

const bookInput = (transaction: Transaction, { id, sharedSince }: BookCalls) =>
  transaction.object(Inputs.SharedObjectRef({ objectId: id, initialSharedVersion: sharedSince, mutable: true }));

const functionOf = ({ packageId, coinType }: BookCalls, name: string) => ({
  target: `${packageId}::${MODULE}::${name}` as const,
  typeArguments: [coinType],
});

/**
 * Builds one transaction that pays all of them. Coins are used before the address balance, whose rest becomes a coin.
 * @throws NotEnoughCoinsError
 */
export async function buildPay(
  client: CoinLister,
  { book, sender, due }: { book: BookCalls; sender: string; due: readonly Due[] },
): Promise<Transaction> {
  const transaction = new Transaction();
  transaction.setSender(sender);
  const coinType = normalizeStructTag(book.coinType);
  const neededUnits = due.reduce((sum, { atMost }) => sum + atMost, 0n);
  const funds = coinType === SUI ? null : await chooseFunds(client, { owner: sender, coinType, neededUnits });
  const from = funds ? gather(transaction, coinType, funds) : transaction.gas;
  const object = bookInput(transaction, book);
  for (const { account, total, atMost } of due)
    transaction.moveCall({
      ...functionOf(book, 'pay'),
      arguments: [
        object,
        from,
        transaction.pure.address(account),
        transaction.pure.u64(total),
        transaction.pure.u64(atMost),
      ],
    });
  if (funds?.coins.length === 0) transaction.transferObjects([from], sender);
  return transaction;
}

/** Makes a Book of the coin, whose owner and first payer is the sender. */
export function buildNewBook({ sender, packageId, coinType }: { sender: string; packageId: string; coinType: string }) {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.moveCall({ target: `${packageId}::${MODULE}::new`, typeArguments: [coinType] });
  return transaction;
}

export function buildSetPayers(book: BookCalls & { owner: string }, payers: readonly string[]): Transaction {
  const transaction = new Transaction();
  transaction.setSender(book.owner);
  const list = bcs.vector(bcs.Address).serialize(payers);
  transaction.moveCall({
    ...functionOf(book, 'set_payers'),
    arguments: [bookInput(transaction, book), transaction.pure(list)],
  });
  return transaction;
}

export function buildSetOwner(book: BookCalls & { owner: string }, owner: string): Transaction {
  const transaction = new Transaction();
  transaction.setSender(book.owner);
  transaction.moveCall({
    ...functionOf(book, 'set_owner'),
    arguments: [bookInput(transaction, book), transaction.pure.address(owner)],
  });
  return transaction;
}
