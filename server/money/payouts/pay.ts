import { SimulationError } from '@mysten/sui/client';
import type { SuiClientTypes } from '@mysten/sui/client';
import { sql } from 'kysely';
import { buildPay } from '#chain/book.ts';
import { NotEnoughCoinsError } from '#chain/funds.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { recordNotices } from '#server/books/notices.ts';
import { conflict, unavailable } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import type { OpenBook } from './book.ts';
import type { WalletDue } from './due.ts';

/** The chain's reason for refusing a transaction because of one of its payments. */
export class RefusedError extends Error {}

export interface Refused {
  due: WalletDue;
  reason: string;
}

/** Abort codes of chain/move/book that no payment causes. */
const OWN_CODES: Record<string, string> = {
  1: 'This wallet is not on the list of payers of the Book. The owner adds it with `npm run coin -- payers`.',
  2: 'The wallet does not hold enough Snaps in one coin. Nothing was paid.',
};
const MORE = 'The Book has paid less than the books say: another Book, or a total that was changed';
const OF_PAYER = new Set(['InsufficientGas', 'InsufficientCoinBalance']);

/** @throws RefusedError if a payment is refused, 409 where the payer cannot pay, and the error itself otherwise */
export function explain(error: SuiClientTypes.ExecutionError | undefined, text: string): never {
  const code = error?.MoveAbort?.location?.module === 'book' ? error.MoveAbort.abortCode : undefined;
  const own = code === undefined ? undefined : OWN_CODES[code];
  if (own !== undefined) throw conflict('cannot_pay', own);
  if (error && OF_PAYER.has(error.$kind))
    throw conflict(
      'cannot_pay',
      'The paying wallet does not hold enough for the payout and its gas. Nothing was paid.',
    );
  if (error || /denied|deny list/i.test(text)) throw new RefusedError(code === '3' ? MORE : text);
  if (/gas|insufficient/i.test(text))
    throw conflict('cannot_pay', 'The paying wallet does not hold enough SUI for the gas. Nothing was paid.');
  throw unavailable('chain_unreachable', 'The chain did not take the payout. Nothing is known to be paid; try again.');
}

const BUILD_MS = 20_000;

/** Limits the time of a call, as the SDK does not. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the node does not complete a payout')), BUILD_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The unsigned transaction, complete: the node has run it without a change. @throws RefusedError, 409, 503 */
export async function build(
  { sui }: Pick<Services, 'sui'>,
  { book, sender, due }: { book: OpenBook; sender: string; due: readonly WalletDue[] },
): Promise<Uint8Array> {
  try {
    const transaction = await buildPay(sui, { book, sender, due });
    return await withinTime(transaction.build({ client: sui }));
  } catch (error) {
    if (error instanceof NotEnoughCoinsError) throw conflict('cannot_pay', `${error.message}. Nothing was paid.`);
    if (error instanceof SimulationError) return explain(error.executionError, error.message);
    throw unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');
  }
}

/** Halves a refused set until one payment is alone (R79). `pay` throws RefusedError. */
export async function payAll(
  due: readonly WalletDue[],
  pay: (part: readonly WalletDue[]) => Promise<void>,
): Promise<Refused[]> {
  const refused = await payPart(due, pay);
  const [reason = '', ...others] = new Set(refused.map((one) => one.reason));
  // The coin is paused, or this is another Book: no single payment causes it.
  if (due.length > 1 && refused.length === due.length && others.length === 0)
    throw conflict('all_refused', `The chain refuses every payment: ${reason}`);
  return refused;
}

async function payPart(
  due: readonly WalletDue[],
  pay: (part: readonly WalletDue[]) => Promise<void>,
): Promise<Refused[]> {
  const [first, ...rest] = due;
  if (!first) return [];
  try {
    await pay(due);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (rest.length === 0) return [{ due: first, reason: error.message }];
    const half = Math.ceil(due.length / 2);
    return [...(await payPart(due.slice(0, half), pay)), ...(await payPart(due.slice(half), pay))];
  }
}

/** Notes refused withdrawals, which automatic payouts leave out until a person pays them. */
export async function noteRefused({ db, log }: Services, who: Actor, refused: readonly Refused[]): Promise<void> {
  for (const { due, reason } of refused) {
    log.warn({ withdrawals: due.withdrawalIds, reason }, 'the chain refuses to pay a withdrawal');
    await db.transaction().execute(async (trx) => {
      const rows = await trx
        .updateTable('withdrawals')
        .set({ refusedReason: reason.slice(0, 500), sentAt: null, sentBy: null })
        .where('id', 'in', due.withdrawalIds)
        .where('state', '=', 'approved')
        .where(sql<boolean>`refused_reason IS DISTINCT FROM ${reason.slice(0, 500)}`)
        .returning(['id', 'userId', 'tokenAmount'])
        .execute();
      if (rows.length === 0) return;
      const lines = rows.map(({ userId, tokenAmount }) => ({
        userId,
        kind: 'payout_failed' as const,
        text: `Withdrawal of ${tokenAmount} Snaps could not be paid yet: the chain refuses it. The admin will review it.`,
        link: '/portfolio',
      }));
      await recordNotices(trx, ...lines);
      const detail = `Withdrawals ${rows.map(({ id }) => id).join(', ')}: ${reason}`;
      await writeAudit(trx, who, { action: 'payout.set-aside', detail, outcome: 'refused', rowCount: rows.length });
    });
  }
}
