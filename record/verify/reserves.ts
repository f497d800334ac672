import type { Book } from '#chain/book.ts';
import type { Minter } from '#chain/minter.ts';
import { CLOCK_SKEW_MS } from '#chain/transactions.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import type { Reserves, Supply } from '#shared/contract/supply.ts';
import { plural } from '#shared/numbers/plural.ts';
import { allInOrder } from '../proof/in-order.ts';
import { fits } from './compare.ts';
import type { Downloaded } from './download.ts';
import { absent, type Check, Differences, failed, unchecked } from './report.ts';

/** Reads of the coin. Each call throws if the node does not respond. */
export interface CoinChain {
  url: string;
  clockMs: () => Promise<number>;
  decimals: (coinType: string) => Promise<number | null>;
  minter: (coinType: string) => Promise<Minter>;
  heldUnits: (owner: string, coinType: string) => Promise<bigint>;
  /** Null if the chain has no such Book. */
  book: (id: string) => Promise<Pick<Book, 'packageId' | 'coinType' | 'totalPaid'> | null>;
  /** Changes of a wallet's holding since a moment, oldest first; null if the node does not list them. */
  moves: (owner: string, coinType: string, sinceMs: number) => Promise<Move[] | null>;
}

export interface Move {
  timeMs: number;
  units: bigint;
}

export interface ReservesTask {
  site: { config: () => Promise<Pick<SiteConfig, 'snapsCoinType' | 'adminWallet'>>; supply: () => Promise<Supply> };
  /** Payouts by the record. */
  record: Pick<Downloaded, 'books' | 'supply' | 'paidByHand'>;
  chain: CoinChain;
  wait: (ms: number) => Promise<void>;
}

interface Said {
  coinType: string;
  reading: NonNullable<Reserves['reading']>;
}

const NAME = 'Reserves';
/** Time by which the site has read the chain again. */
const NEXT_READING_MS = 75_000;
/** How long a site shows its last reading while its node is away. */
const OLDEST_MS = 3_600_000;

/** Holdings of a wallet within two minutes of a moment, newest first, from the present one. Null if the node lacks the history. */
async function heldAt(
  chain: CoinChain,
  { owner, coinType, unit, asOfMs }: { owner: string; coinType: string; unit: bigint; asOfMs: number },
): Promise<number[] | null> {
  const moves = await chain.moves(owner, coinType, asOfMs - CLOCK_SKEW_MS);
  let units = await chain.heldUnits(owner, coinType);
  const isRecent = asOfMs > (await chain.clockMs()) - CLOCK_SKEW_MS;
  if (!moves) return isRecent ? [Number(units / unit)] : null;
  const held: bigint[] = [];
  for (const move of moves.toReversed()) {
    if (move.timeMs <= asOfMs + CLOCK_SKEW_MS) held.push(units);
    units -= move.units;
  }
  return [...held, units].map((one) => Number(one / unit));
}

const textOf = ({ state, address, treasuryCap }: Minter): string =>
  [state, address, treasuryCap].filter((part) => part !== null).join(' ');

/** Payments by the Book's id; null if the chain has no such Book. */
type Paid = ReadonlyMap<string, { packageId: string; snaps: number } | null>;

/** Snaps that each Book has paid by now. A former one may be of another coin. */
const readPaid = async (chain: CoinChain, { books }: Said['reading']): Promise<Paid> =>
  new Map(
    await allInOrder(books, async ({ id }) => {
      const book = await chain.book(id);
      if (!book) return [id, null] as const;
      const decimals = await chain.decimals(book.coinType);
      if (decimals === null) throw new Error(`${chain.url} does not know the decimals of ${book.coinType}`);
      return [id, { packageId: book.packageId, snaps: Number(book.totalPaid / 10n ** BigInt(decimals)) }] as const;
    }),
  );

/** Totals only rise, so the site's must lie between those of the reader's last attempt and those of now. */
function compareBooks(
  { books, known, ahead }: Said['reading'],
  { record, now, before }: { record: ReservesTask['record']; now: Paid; before: Paid },
  differences: Differences,
): void {
  for (const { bookId, packageId } of record.books) {
    const found = now.get(bookId);
    differences.expect(found !== undefined, () => `the Book ${bookId} of the record is missing`);
    if (found) differences.expect(found.packageId === packageId, () => `the Book ${bookId} is of ${found.packageId}`);
  }
  for (const { id, paid } of books) {
    const total = now.get(id)?.snaps ?? null;
    const least = before.get(id)?.snaps ?? total;
    const isRead = total === null || least === null ? paid === total : paid !== null && paid >= least && paid <= total;
    differences.expect(isRead, () => `the Book ${id} has paid ${paid}, by the chain ${total}`);
  }
  const sum = sumOf(books);
  const expected = sum === null ? null : sum - known;
  differences.expect(ahead === expected, () => `ahead ${ahead}, by the Books ${expected}`);
  if (sum === null || ahead === null) return;
  differences.expect(ahead >= 0, () => `the site's books have ${-ahead} Snaps as paid that the chain has not`);
  const { paid = 0, ahead: lost = 0 } = record.supply ?? {};
  const throughBooks = paid + lost - record.paidByHand;
  differences.expect(sum >= throughBooks, () => `paid through Books ${sum}, by the record ${throughBooks}`);
}

/** The sum over all Books; null if the chain does not know one of them. */
const sumOf = (books: Said['reading']['books']): number | null =>
  books.reduce<number | null>((sum, { paid }) => (sum === null || paid === null ? null : sum + paid), 0);

async function compareReading(
  { chain, record }: ReservesTask,
  { coinType, reading }: Said,
  seen: { paid: Paid },
): Promise<Check> {
  const { wallets, held, minter, asOf } = reading;
  const asOfMs = Date.parse(asOf);
  const differences = new Differences();
  const unknown: string[] = [];
  const aheadMs = asOfMs - (await chain.clockMs());
  if (aheadMs > CLOCK_SKEW_MS) return unchecked(NAME, `The reading of ${asOf} is newer than what ${chain.url} knows`);
  if (aheadMs < -OLDEST_MS - CLOCK_SKEW_MS) differences.add(`The reading of ${asOf} is more than an hour old`);
  const decimals = await chain.decimals(coinType);
  if (decimals === null) return unchecked(NAME, `${chain.url} does not know the decimals of ${coinType}`);
  const unit = 10n ** BigInt(decimals);
  await allInOrder(wallets, async ({ address, held: shown }) => {
    const found = await heldAt(chain, { owner: address, coinType, unit, asOfMs });
    if (!found) unknown.push(`${chain.url} lacks the history of ${address} since ${asOf}`);
    else if (!found.includes(shown)) differences.add(`${address} held ${shown}, by the chain ${found[0]}`);
  });
  const known = await chain.minter(coinType);
  if (!fits(minter, known)) {
    const text = `who can mint: ${textOf(minter)}, by the chain ${textOf(known)}`;
    // The right to mint may have moved since an older reading.
    if (aheadMs < -CLOCK_SKEW_MS) unknown.push(text);
    else differences.add(text);
  }
  const now = await readPaid(chain, reading);
  compareBooks(reading, { record, now, before: seen.paid }, differences);
  for (const { id } of reading.books) if (now.get(id) === null) unknown.push(`${chain.url} has no Book ${id}`);
  seen.paid = now;
  if (differences.isEmpty && unknown.length > 0) return unchecked(NAME, unknown.join('; '));
  const amount = `${held.toLocaleString('en')} Snaps in ${plural(wallets.length, 'wallet')}`;
  const paid = sumOf(reading.books) ?? 0;
  const cause = reading.isRestored
    ? 'that a restore took out of its books, as it says'
    : 'that its books do not have yet';
  const ahead = reading.ahead ? `, ${reading.ahead.toLocaleString('en')} of them ${cause}` : '';
  return differences.check(
    NAME,
    `${amount}, who can mint, and ${paid.toLocaleString('en')} Snaps paid${ahead}, by ${chain.url}`,
  );
}

/** What the site says about its reserves, as far as it is consistent. */
async function readSaid({ site: { config, supply }, record }: ReservesTask): Promise<Said | Check> {
  const [{ snapsCoinType, adminWallet }, { reserves = null }] = [await config(), await supply()];
  if (reserves === null && snapsCoinType === null && record.books.length === 0)
    return absent(NAME, 'none: payouts are made without a coin');
  const differences = new Differences();
  const { coinType = 'none', reading = null } = reserves ?? {};
  differences.expect(coinType === snapsCoinType, () => `the coin ${coinType}, by the settings ${snapsCoinType}`);
  const { wallets, held } = reading ?? { wallets: [], held: 0 };
  const [addresses, roles] = [wallets.map(({ address }) => address), wallets.map(({ role }) => role)];
  const most = Math.min(new Set(addresses).size, new Set(roles).size);
  differences.expect(most === wallets.length, () => 'a wallet counts twice');
  if (reading && !addresses.includes(adminWallet)) differences.add(`the wallets lack ${adminWallet}, which pays`);
  const sum = wallets.reduce((all, one) => all + one.held, 0);
  // Wallets show whole Snaps, so each may hold a fraction more.
  if (held < sum || held >= sum + Math.max(1, wallets.length)) differences.add(`held ${held}, by its wallets ${sum}`);
  if (!differences.isEmpty) return differences.check(NAME, '');
  return reading ? { coinType, reading } : unchecked(NAME, 'The site could not read the chain in the last hour');
}

/** Coins behind owed Snaps, as the reader's node knows them, less what moved since the site read the chain (R84). */
export async function checkReserves(
  task: ReservesTask,
  { isLast = false, seen = { paid: new Map() } }: { isLast?: boolean; seen?: { paid: Paid } } = {},
): Promise<Check> {
  const { chain, wait } = task;
  const said = await readSaid(task).catch((error: unknown) => failed(NAME, error));
  if ('state' in said) return said;
  const away = unchecked(NAME, `The Sui node at ${chain.url} does not respond; name another one with --rpc`);
  const check = await compareReading(task, said, seen).catch(() => away);
  if (check.state !== 'differs' || isLast) return check;
  await wait(NEXT_READING_MS);
  return checkReserves(task, { isLast: true, seen });
}
