import { isComplete, payerOf } from '#chain/payment-outcome.ts';
import type { ExecutedTransaction } from '#chain/transactions.ts';
import { isSameAddress } from '#chain/address.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import { formatSui } from '#shared/money/money.ts';
import { deliver, lookUp, type StoredTransaction } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { findPayment } from './queries.ts';
import { verifyOwnPayment, listRecipients, type OwnRejection } from './recipients.ts';
import type { PaymentRow } from './rows.ts';
import { type Change, markUnclaimed, transition } from './transitions.ts';

const MAX_AGE_MS = PAYMENT_MAX_AGE_HOURS * 3_600_000;
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 1500;

/** Shown to the payer (R34). */
const REJECTIONS: Record<OwnRejection | 'rejected' | 'digest_used' | 'invalid' | 'never_seen', string> = {
  failed_on_chain: 'The transaction failed on chain, so nothing was paid',
  payer_is_recipient: 'The transaction pays its own sender',
  wrong_sender: 'The transaction was not sent by your wallet',
  recipient_sponsored_gas: 'The recipient paid the gas of this transaction',
  too_old: `The transaction is older than ${PAYMENT_MAX_AGE_HOURS} hours`,
  amount_too_small: 'The transaction does not pay the fee to the right wallet in SUI',
  old_recipient: 'The transaction pays a wallet that no longer accepts payments',
  not_from_payer: 'The money of this transaction did not come from your wallet',
  rejected: 'The network did not accept the transaction, so nothing was paid',
  digest_used: 'This transaction was already used for another order',
  invalid: 'This is not the digest of a transaction',
  never_seen: `The transaction did not appear on chain within ${PAYMENT_MAX_AGE_HOURS} hours`,
};

/** Reasons for which the payer's money waits for a review. All other money was never the payer's to spend. */
const MAY_WAIT = new Set<OwnRejection>([
  'amount_too_small',
  'not_from_payer',
  'recipient_sponsored_gas',
  'too_old',
  'old_recipient',
]);

/**
 * Executes the stored transaction (repeating it moves no more money), or looks the digest up for at most `waitMs`.
 * 'signed' in the result means that the chain has no outcome, which never counts as "not paid" (R17).
 */
export async function settle(services: Services, payment: PaymentRow, waitMs: number): Promise<PaymentRow> {
  if (payment.state === 'signed') {
    const { digest, transaction: bytes, signature } = payment;
    if (digest && bytes && signature) await settleSigned(services, payment, { digest, bytes, signature });
    else await settleClaim(services, payment, waitMs);
  }
  return (await findPayment(services.db, payment.id)) ?? payment;
}

async function settleSigned(services: Services, payment: PaymentRow, stored: StoredTransaction): Promise<void> {
  const delivery = await deliver(services, stored);
  if (delivery.state === 'executed') await settleExecuted(services, payment, delivery.transaction);
  if (delivery.state === 'rejected') await fail(services, payment, 'rejected');
}

async function settleClaim(services: Services, payment: PaymentRow, waitMs: number): Promise<void> {
  const endMs = performance.now() + waitMs;
  for (let round = 0; ; round += 1) {
    const seen = await lookUp(services, payment.digest ?? '');
    if (seen.state === 'found') return settleExecuted(services, payment, seen.transaction);
    if (seen.state === 'invalid') return fail(services, payment, 'invalid');
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** round, LAST_PAUSE_MS);
    if (performance.now() + pauseMs > endMs) return expireUnseen(services, payment, seen.state);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const waitedMs = ({ signedAt }: PaymentRow): number => Date.now() - (signedAt?.getTime() ?? Date.now());

/** The wallet that paid, if it is not the payer's: a refund goes to it. */
function otherPayer(tx: ExecutedTransaction, payment: PaymentRow): string | null {
  const payer = payerOf(tx);
  return payer === null || isSameAddress(payer, payment.walletAddress) ? null : payer;
}

/** Only a chain that responds, and does not know a digest for a whole day, ends the wait. */
async function expireUnseen(
  services: Services,
  payment: PaymentRow,
  seen: 'unindexed' | 'unseen' | 'unreachable',
): Promise<void> {
  if (seen === 'unseen' && waitedMs(payment) > MAX_AGE_MS) await fail(services, payment, 'never_seen');
}

/**
 * Money from the payer that does not fit the order waits for a review. A reason against a payment counts only when
 * the record is complete, or a day has passed.
 */
export async function settleExecuted(services: Services, payment: PaymentRow, tx: ExecutedTransaction): Promise<void> {
  const { chainId } = services;
  if (chainId === null || tx.digest !== payment.digest) return;
  const result = verifyOwnPayment(tx, payment, await listRecipients(services, payment));
  const { receivedMist } = result;
  if (result.paid) {
    await confirm(services, payment, { chainId, receivedMist, failureCode: null, message: null });
  } else if (!isComplete(tx) && waitedMs(payment) <= MAX_AGE_MS) {
    return;
  } else if (receivedMist > 0n && MAY_WAIT.has(result.rejection)) {
    const message = `${formatSui(receivedMist)} SUI arrived for a fee of ${formatSui(payment.amountMist)} SUI. ${REJECTIONS[result.rejection]}. The admin will refund or credit it.`;
    const paidBy = otherPayer(tx, payment);
    await services.db
      .transaction()
      .execute((trx) =>
        markUnclaimed(trx, payment, 'mismatch', {
          chainId,
          receivedMist,
          paidBy,
          failureCode: result.rejection,
          message,
        }),
      )
      .catch((error: unknown) => failIfUsed(services, payment, error));
  } else {
    await fail(services, payment, result.rejection);
  }
}

async function confirm(services: Services, payment: PaymentRow, change: Change): Promise<void> {
  try {
    await transition(services.db, payment.id, 'confirm', change);
  } catch (error) {
    await failIfUsed(services, payment, error);
  }
}

/** The unique index decides which of several orders gets the money of one transaction. */
async function failIfUsed(services: Services, payment: PaymentRow, error: unknown): Promise<void> {
  if (!isUniqueViolation(error)) throw error;
  await fail(services, payment, 'digest_used');
}

async function fail(services: Services, payment: PaymentRow, failureCode: keyof typeof REJECTIONS): Promise<void> {
  await transition(services.db, payment.id, 'fail', { failureCode, message: REJECTIONS[failureCode] });
}
