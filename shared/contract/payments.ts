import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { PAYMENT_PHASES, type PaymentPhase } from '../money/payment-phases.ts';
import { PAYMENT_STATES } from '../states/payment.ts';
import { inPages } from './pages.ts';
import { Digest, Id, MistText, Pending, Reason, Time } from './types.ts';
import { ProjectChanges, ProjectDraft } from './projects.ts';

export const Purpose = z.enum(['submit', 'update', 'renew']);
export type Purpose = z.output<typeof Purpose>;

export const PaymentState = z.enum(PAYMENT_STATES);
export type PaymentState = z.output<typeof PaymentState>;

/** The phase of a payment in each state; see shared/money/payment-phases.ts. */
export const PHASE_OF: Readonly<Record<PaymentState, PaymentPhase>> = {
  draft: 'unsent',
  signed: 'looking',
  paid: 'received',
  fulfilled: 'done',
  failed: 'not_paid',
  expired: 'not_paid',
  unclaimed: 'review',
  refunded: 'refunded',
};

const Phase = z.enum(PAYMENT_PHASES);

export const Payment = z.object({
  paymentId: z.string(),
  purpose: Purpose,
  state: PaymentState,
  phase: Phase,
  projectId: Id.nullable(),
  projectName: z.string().nullable(),
  amountMist: MistText,
  receivedMist: MistText.nullable(),
  transactionHash: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Payment = z.output<typeof Payment>;

export const preparePayment = endpoint('preparePayment', {
  access: 'user',
  summary: 'Validate and store an order before any money moves (R16)',
  bodyLimitBytes: 15 * 1024 * 1024,
  status: 201,
  body: z.discriminatedUnion('purpose', [
    z.object({ purpose: z.literal('submit'), draft: ProjectDraft }),
    z.object({ purpose: z.literal('update'), projectId: Id, draft: ProjectChanges }),
    z.object({ purpose: z.literal('renew'), projectId: Id, draft: z.object({}).optional() }),
  ]),
  statuses: {
    403: 'The project belongs to another wallet',
    404: 'There is no such project',
    409: 'The order cannot be paid: a payment for it is open, the name is taken, or the project is hidden or was changed too often',
    429: 'Too many unpaid orders',
  },
  response: z.object({
    paymentId: z.string(),
    amountMist: MistText,
    recipient: z.string(),
    expiresAt: Time,
  }),
});

const PendingPayment = Pending.extend({ transactionHash: Digest });

export const executePayment = endpoint('executePayment', {
  access: 'user',
  summary:
    'Execute the signed transaction of a payment, or report the digest of one that the wallet already sent (R17); idempotent',
  params: z.object({ id: z.uuid() }),
  body: z.union([
    z.object({ bytes: z.string().max(200_000), signature: z.string().max(20_000) }),
    z.object({ transactionHash: Digest }),
  ]),
  statuses: {
    202: { when: 'The transaction was sent; the chain has not confirmed it yet', body: PendingPayment },
    409: 'The payment is no longer open; `nothingPaid` is true if no money moved',
  },
  response: z.union([z.object({ transactionHash: Digest }), PendingPayment]),
});

export const getPayment = endpoint('getPayment', {
  access: 'user',
  summary: "One of the session's payments, with the project it paid for",
  params: z.object({ id: z.uuid() }),
  response: Payment,
});

export const cancelPayment = endpoint('cancelPayment', {
  access: 'user',
  summary: 'Cancel a payment that was not executed; no transaction is executed for it afterward',
  params: z.object({ id: z.uuid() }),
  statuses: { 409: 'Its transaction is already known' },
  response: Payment,
});

export const listPayments = endpoint('listPayments', {
  access: 'user',
  summary: "The session's payments, newest first",
  ...inPages({ size: 500, max: 500 }),
  response: z.array(Payment),
});

export const exportPayments = endpoint('exportPayments', {
  access: 'user',
  summary: "Receipts of the session's payments as CSV: purpose, project, amount, digest, date",
  contentType: 'text/csv',
  response: z.string(),
});

export const AdminPayment = Payment.extend({
  userId: Id,
  walletAddress: z.string(),
  failure: z.string().nullable(),
  paidBy: z.string().nullable(),
  refundedMist: MistText.nullable(),
  refundTransactionHash: z.string().nullable(),
});
export type AdminPayment = z.output<typeof AdminPayment>;

export const listAllPayments = endpoint('listAllPayments', {
  access: 'admin',
  summary: 'All payments, newest first; state=unclaimed lists those that need a decision',
  ...inPages({ size: 50, max: 500 }, { state: PaymentState.optional() }),
  response: z.array(AdminPayment),
});

export const resolvePayment = endpoint('resolvePayment', {
  access: 'admin',
  summary:
    'Decide an unclaimed payment: refunded (sent back, with amount and digest) or credited (its order is fulfilled); or record the refund of the fee of a hidden listing that was appealed. The payer sees the note',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    resolution: z.enum(['refunded', 'credited']),
    note: Reason,
    /**
     * For a refund: the amount that was sent back in MIST, by default everything that arrived, and its transaction. For
     * a hidden listing and a name that is not used the transaction is required and verified on chain.
     */
    amountMist: MistText.optional(),
    transactionHash: Digest.optional(),
  }),
  statuses: {
    409: 'It needs no decision, its order cannot be fulfilled, or the refund is not on chain yet or was recorded before',
  },
  response: AdminPayment,
});
