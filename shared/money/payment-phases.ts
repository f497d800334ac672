/**
 * Facts about a payment in each phase, and the actions that a page may offer, as one table: the source of sentences,
 * toasts and buttons of server and browser.
 *
 * unsent: stored, and no transaction has reached the server · looking: a transaction is known, and the chain has not
 * shown it · received: the chain has shown the money, the order is being applied · review: the money arrived and does
 * not fit the order · done: fulfilled · not_paid: nothing was paid for it · refunded: the money was sent back.
 */
export const PAYMENT_PHASES = ['unsent', 'looking', 'received', 'review', 'done', 'not_paid', 'refunded'] as const;
export type PaymentPhase = (typeof PAYMENT_PHASES)[number];

interface PhaseFacts {
  title: string;
  text: string;
  /** The outcome is still open: pages keep polling. */
  isOpen: boolean;
  /** A second payment for the same order could pay twice: no page shows an active pay button for it. */
  blocksPaying: boolean;
}

export const PHASE_FACTS: Readonly<Record<PaymentPhase, PhaseFacts>> = {
  unsent: {
    title: 'Not sent yet',
    text: 'Your signed payment is kept in this browser and is sent again automatically. You do not have to sign or pay again.',
    isOpen: true,
    blocksPaying: true,
  },
  looking: {
    title: 'Looking for your payment',
    text: 'The network has not shown it yet. This can take a few minutes; you do not have to pay again.',
    isOpen: true,
    blocksPaying: true,
  },
  received: {
    title: 'Payment received, finishing…',
    text: 'You do not have to pay again. Your portfolio shows when it is done.',
    isOpen: true,
    blocksPaying: true,
  },
  review: {
    title: 'This payment needs a review by our team',
    text: 'The money has arrived. It will be refunded or credited; your portfolio shows the decision.',
    isOpen: false,
    blocksPaying: false,
  },
  done: { title: 'Payment complete', text: 'Your order is complete.', isOpen: false, blocksPaying: false },
  not_paid: { title: 'Nothing was paid', text: 'You can start again.', isOpen: false, blocksPaying: false },
  refunded: { title: 'Payment refunded', text: 'The money was sent back.', isOpen: false, blocksPaying: false },
};

/** One sentence about a phase, for responses that have one. */
export const phaseMessage = (phase: PaymentPhase): string =>
  `${PHASE_FACTS[phase].title.replace(/…$/, '')}. ${PHASE_FACTS[phase].text}`;
