import { PHASE_OF, type Purpose } from '#shared/contract/payments.ts';
import { phaseMessage } from '#shared/money/payment-phases.ts';
import { conflict, HttpError, notFound, tooMany } from '#server/kit/http/errors.ts';
import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { countFutileClaims, countUnpaidDrafts, findPayment } from './queries.ts';
import type { PaymentRow } from './rows.ts';
import type { NewPayment } from './store.ts';

const DRAFT_TTL_MS = 60 * 60_000;
/** Maximum wait of a request for the chain (R17). */
export const CLAIM_WAIT_MS = 6_000;

/** Digests of a user that no node has seen: each is looked up repeatedly for a day. */
const MAX_UNSEEN_CLAIMS = 5;
const MAX_CLAIMS_PER_DAY = 20;

export interface Payable {
  purpose: Purpose;
  amountMist: bigint;
  project: { id: number } | null;
  hash: string;
}

export function newPayment({ config }: Services, session: SessionUser, request: Payable, draft: object): NewPayment {
  return {
    recipient: config.adminWallet,
    userId: session.userId,
    purpose: request.purpose,
    projectId: request.project?.id ?? null,
    draft,
    orderHash: request.hash,
    amountMist: request.amountMist,
    ttlMs: DRAFT_TTL_MS,
  };
}

/** Another payment for the same order is pending; nothing was paid for the new one. */
export const paymentOpen = (payment: PaymentRow) =>
  new HttpError(409, 'payment_open', `You are already paying for this. ${phaseMessage(PHASE_OF[payment.state])}`, {
    extra: { paymentId: payment.id, phase: PHASE_OF[payment.state] },
  });

export async function ownPayment(services: Services, session: SessionUser, id: string): Promise<PaymentRow> {
  const payment = await findPayment(services.db, id);
  if (!payment || payment.userId !== session.userId) throw notFound('payment_not_found', 'Payment not found');
  return payment;
}

export const pending = <P extends 'looking' | 'received'>(phase: P) => ({
  status: 'pending' as const,
  phase,
  message: phaseMessage(phase),
});

/** Clients can make up digests. Exact when called under the user's lock. @throws 429 */
export async function checkClaims(db: Db, userId: number): Promise<void> {
  const { unseen, today } = await countFutileClaims(db, userId);
  if (unseen >= MAX_UNSEEN_CLAIMS) {
    throw tooMany(
      'too_many_open',
      'We are still looking for too many of your transactions. Please wait until one of them is found.',
      60,
    );
  }
  if (today >= MAX_CLAIMS_PER_DAY) {
    throw tooMany(
      'too_many_claims',
      'Too many of the transactions that you entered today paid for nothing here. Try again tomorrow.',
      3_600,
    );
  }
}

/** Each draft may keep a picture for days. */
const MAX_OPEN_DRAFTS = 5;
const MAX_DRAFTS_PER_DAY = 20;

/** Exact when called under the user's lock. @throws 429 */
export async function checkDrafts(db: Db, userId: number): Promise<void> {
  const { open, today } = await countUnpaidDrafts(db, userId);
  if (open >= MAX_OPEN_DRAFTS) {
    throw tooMany('too_many_drafts', 'You have several unpaid orders. Pay for one of them, or wait an hour.', 600);
  }
  if (today >= MAX_DRAFTS_PER_DAY) {
    throw tooMany(
      'too_many_drafts',
      'You have prepared many orders without paying for one. Try again tomorrow.',
      3_600,
    );
  }
}

export const digestUsed = () => conflict('digest_used', 'This transaction was already used for another order');
