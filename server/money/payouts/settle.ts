import { type RawBuilder, sql } from 'kysely';
import type { Paid } from '#chain/book.ts';
import { CLOCK_SKEW_MS } from '#chain/transactions.ts';
import type { Db } from '#db/client.ts';
import { recordActivity } from '#server/books/activity.ts';
import { type Actor, SERVER, writeAudit } from '#server/books/audit.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import { recordNotices } from '#server/books/notices.ts';
import { lookUp } from '#server/chain/our-chain.ts';
import { type LostSpan, lostSpan, noteDatabase } from '#server/kit/restored.ts';
import type { Services } from '#server/kit/services.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { agreedBook, beginFirst, carryForgotten, markUnmarked, type OpenBook, requirePaid } from './book.ts';
import { findDue } from './due.ts';

/** Asks the chain for the totals of all wallets that wait. Returns the ids of withdrawals that it has paid. */
export async function settlePayouts(services: Services): Promise<number[]> {
  await noteDatabase(services);
  if (services.config.snapsBook === null) return [];
  await beginFirst(services);
  const book = await agreedBook(services);
  if (typeof book === 'string') return [];
  await markUnmarked(services);
  await carryForgotten(services, book);
  return settleDue(services, book, sql`true`);
}

/** The same for chosen withdrawals. @throws 503 */
export async function settleDue(services: Services, book: OpenBook, chosen: RawBuilder<boolean>): Promise<number[]> {
  const due = await findDue(services.db, book.rowId, chosen);
  const paid = await requirePaid(
    services,
    book,
    due.map(({ account }) => account),
  );
  const settled: number[] = [];
  for (const [at, { userId }] of due.entries()) {
    const { total, digest } = paid[at] ?? { total: 0n, digest: null };
    if (digest !== null) settled.push(...(await settleWallet(services, book, userId, { total, digest })));
  }
  return settled;
}

const ofBook = (trx: Db, book: OpenBook, userId: number) =>
  trx
    .selectFrom('withdrawals')
    .select(['id', 'userId', 'tokenAmount', 'paidEarlier'])
    .where('userId', '=', userId)
    .where('bookId', '=', book.rowId)
    .where('state', '=', 'approved');

async function settleWallet(
  services: Services,
  book: OpenBook,
  userId: number,
  { total, digest }: Paid & { digest: string },
): Promise<number[]> {
  const reached = ofBook(services.db, book, userId).where('mark', '<=', String(total));
  const rows = await reached.execute();
  const isExplained = rows.some(({ paidEarlier }) => paidEarlier) && (await wasLost(services, digest));
  const ids = rows.filter(({ paidEarlier }) => !paidEarlier || isExplained).map(({ id }) => id);
  return ids.length === 0 ? [] : payIn(services, SERVER, { book, userId, total, digest, ids });
}

/** Whether a restore that the server noticed took this payout out of the books. */
async function wasLost(services: Services, digest: string): Promise<boolean> {
  const span = await lostSpan(services.db);
  if (!span) return false;
  const seen = await lookUp(services, digest);
  // Unseen: the node has pruned an old transaction.
  if (seen.state === 'unseen') return true;
  return seen.state === 'found' && isWithin(span, seen.transaction.timestampMs);
}

const isWithin = ({ fromMs, untilMs }: LostSpan, timeMs: number | null): boolean =>
  timeMs !== null && timeMs >= fromMs - CLOCK_SKEW_MS && timeMs <= untilMs + CLOCK_SKEW_MS;

interface Settlement {
  book: OpenBook;
  userId: number;
  total: bigint;
  digest: string;
  ids: readonly number[];
}

/** Under the lock of the balance the marks are those that the chain was asked for, or lower. */
export async function payIn(
  { db }: Pick<Services, 'db'>,
  who: Actor,
  { book, userId, total, digest, ids }: Settlement,
): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    await lockBalance(trx, userId);
    const rows = await ofBook(trx, book, userId).where('mark', '<=', String(total)).where('id', 'in', ids).execute();
    await pay(trx, who, rows, digest);
    return rows.map(({ id }) => id);
  });
}

interface Row {
  id: number;
  userId: number;
  tokenAmount: number;
  paidEarlier: boolean;
}

/** Releases the hold and pays it in one step: the balance does not change (R13). */
export async function pay(trx: Db, who: Actor, rows: readonly Row[], digest: string): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const paid = await updateWithdrawals(trx, 'pay')
    .set({ digest, reason: null, refusedReason: null })
    .where('id', 'in', ids)
    .returning('id')
    .execute();
  if (paid.length !== rows.length)
    throw new Error(`withdrawals ${ids.join(', ')} were changed while they were settled`);
  await post(
    trx,
    ...rows.flatMap(({ userId, id: ref, tokenAmount }) => [
      { userId, kind: 'hold_release' as const, ref, amount: tokenAmount },
      { userId, kind: 'payout' as const, ref, amount: -tokenAmount },
    ]),
  );
  const lines = rows.map(({ userId, tokenAmount, paidEarlier }) => ({
    userId,
    text: `Withdrawal of ${tokenAmount} Snaps ${paidEarlier ? 'was paid to your wallet earlier' : 'paid to your wallet'}`,
  }));
  await recordActivity(trx, ...lines.map((line) => ({ ...line, kind: 'withdrawal_paid' as const, digest })));
  await recordNotices(trx, ...lines.map((line) => ({ ...line, kind: 'payout_paid' as const, link: '/portfolio' })));
  const detail = `Withdrawals ${ids.join(', ')}, transaction ${digest}`;
  await writeAudit(trx, who, { action: 'payout.settle', detail, outcome: 'paid', rowCount: rows.length });
}
