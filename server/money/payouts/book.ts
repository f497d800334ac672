import { type Selectable, sql } from 'kysely';
import { type Paid, readBook, readPaid } from '#chain/book.ts';
import { normalizeStructTag } from '@mysten/sui/utils';
import type { Db } from '#db/client.ts';
import type { Books } from '#db/schema.ts';
import type { BookProblem } from '#shared/contract/payouts.ts';
import { type Actor, SERVER, writeAudit } from '#server/books/audit.ts';
import { lockBalance } from '#server/books/ledger.ts';
import { addToTotal, carryTotal, hasUnknownKey, takeFromTotal } from '#server/books/totals.ts';
import { ConfigError } from '#server/kit/config.ts';
import { conflict, unavailable } from '#server/kit/http/errors.ts';
import { readOurChain } from '#server/chain/our-chain.ts';
import { checkPayoutCoin } from '#server/money/payouts/payout-coin.ts';
import type { Services } from '#server/kit/services.ts';
import { hashedWallets, keyChecks } from '#server/people/users/former-wallets.ts';

/**
 * The Book of this site (R97). Its id is in the settings and in the database: a restored database alone could continue
 * with an empty or a former one, which would pay again. Where the two differ, nothing is paid.
 */

export interface OpenBook {
  rowId: number;
  id: string;
  packageId: string;
  coinType: string;
  sharedSince: string;
  tableId: string;
  decimals: number;
}

const toBook = (row: Selectable<Books>): OpenBook => ({
  rowId: row.id,
  id: row.objectId,
  packageId: row.packageId,
  coinType: row.coinType,
  sharedSince: String(row.sharedSince),
  tableId: row.tableId,
  decimals: row.decimals,
});

export async function findOpenBook(db: Db): Promise<OpenBook | null> {
  const row = await db.selectFrom('books').selectAll().where('endedAt', 'is', null).executeTakeFirst();
  return row ? toBook(row) : null;
}

const SENTENCES: Record<BookProblem, string> = {
  none: 'SNAPS_BOOK is not set. Make a Book with `npm run coin`; nothing was sent.',
  unread: 'The chain has not answered yet whether SNAPS_BOOK is a Book. Nothing was sent; try again.',
  no_book: 'The chain has no Book with the id in SNAPS_BOOK. Nothing was sent.',
  other_coin: 'The Book in SNAPS_BOOK is of another coin, or of other decimals. Nothing was sent.',
  other_book:
    'The database continues another Book than SNAPS_BOOK names. Begin this one in the panel; nothing was sent.',
  unknown_key:
    'ACCOUNT_KEY is not the key of earlier deleted accounts, whose totals cannot be found. Nothing was sent.',
};

/** The Book on which settings and database agree, or why nothing can be paid. */
export async function agreedBook({ db, config }: Services): Promise<OpenBook | BookProblem> {
  const { snapsBook, snapsCoinType, snapsDecimals } = config;
  if (snapsBook === null || snapsCoinType === null) return 'none';
  const book = await findOpenBook(db);
  if (!book) return 'unread';
  if (book.id !== snapsBook) return 'other_book';
  if (book.coinType !== normalizeStructTag(snapsCoinType) || book.decimals !== snapsDecimals) return 'other_coin';
  return (await hasUnknownKey(db, await keyChecks(db, config))) ? 'unknown_key' : book;
}

/** @throws 409, 503 where nothing can be paid */
export async function requireBook(services: Services): Promise<OpenBook> {
  const book = await agreedBook(services);
  if (book === 'unread') throw unavailable('chain_unreachable', SENTENCES[book]);
  if (typeof book === 'string') throw conflict(`book_${book}`, SENTENCES[book]);
  await carryForgotten(services, book);
  return book;
}

/** An account that came back while its key was unknown began without the total of its wallet, and would be paid too little. */
export async function carryForgotten({ db, config }: Services, { rowId: bookId }: OpenBook): Promise<void> {
  if (!(await db.selectFrom('formerTotals').select('bookId').limit(1).executeTakeFirst())) return;
  const rows = await db
    .selectFrom('withdrawals')
    .select(['userId', 'walletAddress'])
    .distinct()
    .where('bookId', '=', bookId)
    .where('state', '=', 'approved')
    .execute();
  const users = new Map(rows.map(({ userId, walletAddress }) => [walletAddress, userId]));
  const wallets = await hashedWallets(db, config, [...users.keys()]);
  const { rows: found } = await sql<{ hash: string; units: string }>`
    SELECT encode(wallet_hash, 'hex') AS hash, units::text AS units FROM former_totals
    WHERE book_id = ${bookId} AND encode(wallet_hash, 'hex') = ANY (${[...wallets.keys()]}::text[])`.execute(db);
  for (const { hash, units } of found) {
    const userId = users.get(wallets.get(hash) ?? '');
    if (userId === undefined) continue;
    await db.transaction().execute(async (trx) => {
      await lockBalance(trx, userId);
      await carryTotal(trx, { bookId, userId, units });
    });
  }
}

/** Totals that the Book has paid to wallets, in their order. @throws 503 */
export async function requirePaid(services: Services, book: OpenBook, accounts: readonly string[]): Promise<Paid[]> {
  const paid = accounts.length === 0 ? [] : await readOurChain(services, () => readPaid(services.sui, book, accounts));
  if (paid) return paid;
  throw unavailable(
    'chain_unreachable',
    'The chain cannot be asked what was paid already. Nothing was changed; try again.',
  );
}

async function readSetting(services: Services): Promise<Omit<OpenBook, 'rowId'> | BookProblem> {
  const { sui, config } = services;
  const { snapsBook, snapsCoinType, snapsDecimals: decimals } = config;
  if (snapsBook === null || snapsCoinType === null) return 'none';
  const read = async () => ({ book: await readBook(sui, snapsBook), coin: await checkPayoutCoin(sui, config) });
  try {
    const found = await readOurChain(services, read);
    if (!found) return 'unread';
    if (!found.book) return 'no_book';
    return found.book.coinType === normalizeStructTag(snapsCoinType) ? { ...found.book, decimals } : 'other_coin';
  } catch (error) {
    if (error instanceof ConfigError) return 'other_coin';
    throw error;
  }
}

/** Begins the first Book of this database. */
export async function beginFirst(services: Services): Promise<void> {
  const { db, config } = services;
  if (config.snapsBook === null || (await db.selectFrom('books').select('id').limit(1).executeTakeFirst())) return;
  const book = await readSetting(services);
  if (typeof book !== 'string') await db.transaction().execute((trx) => begin(trx, SERVER, book, null));
}

/**
 * Ends the Book of the database and begins that of the settings: a new owner, another coin, or a chain that was wiped.
 * Open withdrawals get marks in the new one. @throws 409, 503
 */
export async function beginNext(services: Services, who: Actor, reason: string): Promise<void> {
  const open = await findOpenBook(services.db);
  const book = await readSetting(services);
  if (book === 'unread') throw unavailable('chain_unreachable', SENTENCES[book]);
  if (typeof book === 'string') throw conflict(`book_${book}`, SENTENCES[book]);
  if (open?.id === book.id && open.decimals === book.decimals)
    throw conflict('same_book', 'The database continues this Book already');
  await services.db.transaction().execute((trx) => begin(trx, who, book, reason));
}

async function begin(trx: Db, who: Actor, book: Omit<OpenBook, 'rowId'>, reason: string | null): Promise<void> {
  await sql`LOCK TABLE books IN EXCLUSIVE MODE`.execute(trx);
  const open = await findOpenBook(trx);
  // Another server has begun it already.
  if (open && reason === null) return;
  const approved = await trx
    .selectFrom('withdrawals')
    .select('id')
    .where('state', '=', 'approved')
    .orderBy('userId')
    .orderBy('mark')
    .orderBy('id')
    .execute();
  for (const { id } of approved.toReversed()) await takeFromTotal(trx, id);
  await trx
    .updateTable('books')
    .set({ endedAt: sql<Date>`now()` })
    .where('endedAt', 'is', null)
    .execute();
  const { id: objectId, packageId, coinType, sharedSince, tableId, decimals } = book;
  const values = {
    objectId,
    packageId,
    coinType: normalizeStructTag(coinType),
    sharedSince: Number(sharedSince),
    tableId,
    decimals,
  };
  await trx
    .insertInto('books')
    .values(values)
    .onConflict((conflict) => conflict.column('objectId').doUpdateSet({ ...values, endedAt: null, isRecorded: false }))
    .execute();
  for (const { id } of approved) await addToTotal(trx, id);
  await trx.updateTable('withdrawals').set({ paidEarlier: false }).where('state', '=', 'approved').execute();
  const detail = `Book ${objectId}${reason === null ? '' : `, after ${open?.id ?? 'none'}. Reason: ${reason}`}`;
  await writeAudit(trx, who, { action: 'book.begin', detail, outcome: 'ok', rowCount: approved.length });
}

/** A withdrawal that was approved while the first Book began. */
export async function markUnmarked({ db }: Pick<Services, 'db'>): Promise<void> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('state', '=', 'approved')
    .where('mark', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of rows) await db.transaction().execute((trx) => addToTotal(trx, id));
}
