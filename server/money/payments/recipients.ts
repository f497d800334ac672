/**
 * `payment_recipients` contains every wallet that was ever ADMIN_WALLET, and when it was last in use. A signed
 * transaction must pay the payment's own recipient. A transaction that is looked up may pay any of them, if it was
 * made at most a day after that wallet was last in use; later money waits for a review. Rejected: only the payment's
 * own recipient (a client without a draft, or with an old one, may pay the other wallet); earlier wallets forever (a
 * wallet is replaced when its key was stolen, and the thief could list for free); a setting with earlier wallets
 * (operators overlook it when it matters).
 */
import { sql } from 'kysely';
import { verifyPayment, type PaymentRejection } from '#chain/payment-outcome.ts';
import { type ExecutedTransaction } from '#chain/transactions.ts';
import type { Db } from '#db/client.ts';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import type { Services } from '#server/kit/services.ts';
import type { PaymentRow } from './rows.ts';

const MAX_AGE_MS = PAYMENT_MAX_AGE_HOURS * 3_600_000;
const REFRESH_MINUTES = 10;

interface Recipient {
  address: string;
  untilMs: number;
}

export type OwnRejection = PaymentRejection | 'old_recipient';

type OwnResult = { paid: true; receivedMist: bigint } | { paid: false; rejection: OwnRejection; receivedMist: bigint };

/** Call before the address is given to a payer. */
export async function noteRecipient(db: Db, address: string): Promise<void> {
  await db
    .insertInto('paymentRecipients')
    .values({ address })
    .onConflict((conflict) =>
      conflict
        .column('address')
        .doUpdateSet({ lastUsedAt: sql<Date>`now()` })
        .where('paymentRecipients.lastUsedAt', '<', sql<Date>`now() - make_interval(mins => ${REFRESH_MINUTES})`),
    )
    .execute();
}

export async function listRecipients({ db, config }: Services, payment: PaymentRow): Promise<Recipient[]> {
  const rows = await db.selectFrom('paymentRecipients').select(['address', 'lastUsedAt']).execute();
  const rank = (address: string) => Number(address !== payment.recipient) + Number(address !== config.adminWallet);
  return [
    { address: config.adminWallet, untilMs: Number.POSITIVE_INFINITY },
    ...rows
      .filter(({ address }) => address !== config.adminWallet)
      .map(({ address, lastUsedAt }) => ({ address, untilMs: lastUsedAt.getTime() + MAX_AGE_MS })),
  ].toSorted((one, other) => rank(one.address) - rank(other.address));
}

/**
 * Paid if the transaction pays a wallet that counted at the time, otherwise the reason for the wallet that received
 * most. `receivedMist` is the total of all wallets.
 */
export function verifyOwnPayment(tx: ExecutedTransaction, payment: PaymentRow, recipients: Recipient[]): OwnResult {
  const notBeforeMs = (payment.signedAt ?? payment.createdAt).getTime() - MAX_AGE_MS;
  const results = recipients.map(({ address, untilMs }): OwnResult => {
    const terms = { sender: payment.walletAddress, recipient: address, amountMist: payment.amountMist };
    const result = verifyPayment(tx, terms, { notBeforeMs });
    const receivedMist = result.receivedMist > 0n ? result.receivedMist : 0n;
    const counts = (tx.timestampMs ?? Date.now()) <= untilMs;
    return result.paid && !counts
      ? { paid: false, rejection: 'old_recipient', receivedMist }
      : { ...result, receivedMist };
  });
  const receivedMist = results.reduce((sum, result) => sum + result.receivedMist, 0n);
  // For equal amounts, the wallet that was shown to the payer decides: sorting keeps the order of equals.
  const [best] = results.toSorted(
    (one, other) => Number(other.paid) - Number(one.paid) || Number(other.receivedMist - one.receivedMist),
  );
  return best ? { ...best, receivedMist } : { paid: false, rejection: 'amount_too_small', receivedMist };
}
