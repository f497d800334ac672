import type { Payment } from '#shared/contract/payments.ts';
import { PAYMENT_PHASES, PHASE_FACTS, type PaymentPhase } from '#shared/money/payment-phases.ts';
import type { OpenOrder, Purpose } from './journal.ts';

/** unknown: a wallet that signs and sends in one step did not report its result. Only this browser knows of the payment. */
export type OrderPhase = PaymentPhase | 'unknown';

/** send: hand the signature over again · cancel: give the payment up · name: paste the digest of what the wallet sent. */
export type OrderAction = 'send' | 'cancel' | 'name';

interface OrderFacts {
  title: string;
  text: string;
  blocksPaying: boolean;
  actions: readonly OrderAction[];
}

const ACTIONS: Partial<Record<PaymentPhase, readonly OrderAction[]>> = { unsent: ['send', 'cancel'] };

export const ORDER_FACTS: Readonly<Record<OrderPhase, OrderFacts>> = {
  unknown: {
    title: 'Did your wallet send this payment?',
    text: 'Your wallet did not report the result. Check its history: if it lists the payment, enter its digest; if it does not, press ‘It was not sent’.',
    blocksPaying: true,
    actions: ['name', 'cancel'],
  },
  ...(Object.fromEntries(
    PAYMENT_PHASES.map((phase) => {
      const { title, text, blocksPaying } = PHASE_FACTS[phase];
      return [phase, { title, text, blocksPaying, actions: ACTIONS[phase] ?? [] }];
    }),
  ) as unknown as Record<PaymentPhase, OrderFacts>),
};

export interface OrderView {
  paymentId: string;
  purpose: Purpose | null;
  projectId: number | null;
  name: string | null;
  amountMist: string;
  transactionHash: string | null;
  note: string | null;
  phase: OrderPhase;
  actions: readonly OrderAction[];
}

/** How far a payment has come; the later one of two reports is the truth, as neither server nor browser goes back. */
const ORDER_OF_EVENTS: readonly OrderPhase[] = ['unknown', 'unsent', 'looking', 'received'];

/** A draft on the server says nothing about this browser's report; an expired one says nothing about what a wallet has sent itself. */
export function phaseOf(entry: OpenOrder | null, payment: Pick<Payment, 'phase' | 'state'> | null): OrderPhase {
  if (!entry) return payment?.phase ?? 'unsent';
  if (!payment) return entry.phase;
  const sentByWallet = entry.phase === 'unknown' || (entry.proof !== null && 'transactionHash' in entry.proof);
  if (payment.state === 'expired') return sentByWallet ? entry.phase : 'not_paid';
  if (!ORDER_OF_EVENTS.includes(payment.phase)) return payment.phase;
  if (payment.state === 'draft') return entry.phase;
  const later = Math.max(ORDER_OF_EVENTS.indexOf(entry.phase), ORDER_OF_EVENTS.indexOf(payment.phase));
  return ORDER_OF_EVENTS[later] ?? entry.phase;
}

function actionsOf(phase: OrderPhase, entry: OpenOrder | null): readonly OrderAction[] {
  if (!entry) return [];
  const cannotCancel = entry.proof !== null && 'transactionHash' in entry.proof;
  return ORDER_FACTS[phase].actions.filter((action) => !(action === 'cancel' && cannotCancel));
}

function viewOf(entry: OpenOrder | null, payment: Payment | null): OrderView {
  const phase = phaseOf(entry, payment);
  return {
    paymentId: payment?.paymentId ?? entry?.paymentId ?? '',
    purpose: payment?.purpose ?? entry?.purpose ?? null,
    projectId: payment?.projectId ?? entry?.projectId ?? null,
    name: payment?.projectName ?? entry?.name ?? null,
    amountMist: payment?.receivedMist ?? payment?.amountMist ?? entry?.amountMist ?? '0',
    transactionHash: payment?.transactionHash ?? null,
    note: payment?.note ?? null,
    phase,
    actions: actionsOf(phase, entry),
  };
}

export function orderViews(entries: readonly OpenOrder[], payments: readonly Payment[]): OrderView[] {
  const listed = new Set(payments.map(({ paymentId }) => paymentId));
  const own = new Map(entries.map((entry) => [entry.paymentId, entry]));
  return [
    ...entries.filter(({ paymentId }) => !listed.has(paymentId)).map((entry) => viewOf(entry, null)),
    ...payments
      .filter(({ paymentId, state }) => own.has(paymentId) || (state !== 'draft' && state !== 'expired'))
      .map((payment) => viewOf(own.get(payment.paymentId) ?? null, payment)),
  ];
}

export function blockingOrder(
  views: readonly OrderView[],
  purpose: Purpose,
  projectId: number | null,
): OrderView | null {
  return (
    views.find(
      (view) =>
        ORDER_FACTS[view.phase].blocksPaying &&
        view.purpose === purpose &&
        (purpose === 'submit' || view.projectId === projectId),
    ) ?? null
  );
}
