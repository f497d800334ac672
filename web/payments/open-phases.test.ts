import { expect, test } from 'vitest';
import { type Payment, PaymentState, PHASE_OF } from '#shared/contract/payments.ts';
import { PAYMENT_PHASES, PHASE_FACTS } from '#shared/money/payment-phases.ts';
import { openOrderOf, paymentOf } from '../testing/made-up.ts';
import type { OpenOrder } from './journal.ts';
import { blockingOrder, ORDER_FACTS, type OrderPhase, orderViews, phaseOf } from './open-phases.ts';

const SIGNED = { bytes: 'AA', signature: 'BB' };
const SENT = { transactionHash: 'D'.repeat(44) };
const entry = (phase: OpenOrder['phase'], proof: OpenOrder['proof'] = null) =>
  openOrderOf({ name: null, phase, proof });

test('every state of a payment has a phase with a sentence [R16 R17]', () => {
  expect(Object.keys(PHASE_OF)).toEqual(PaymentState.options);
  for (const phase of [...PAYMENT_PHASES, 'unknown' as const]) {
    expect(ORDER_FACTS[phase].title).not.toBe('');
    expect(ORDER_FACTS[phase].text).toMatch(/[.]$/);
  }
});

test('a payment is called received only after the chain has shown it', () => {
  const received = PaymentState.options.filter((state) => /received/i.test(PHASE_FACTS[PHASE_OF[state]].title));
  expect(received).toEqual(['paid']);
});

test('an open payment blocks a second one', () => {
  const blocking = (Object.keys(ORDER_FACTS) as OrderPhase[]).filter((phase) => ORDER_FACTS[phase].blocksPaying);
  expect(blocking.toSorted()).toEqual(['looking', 'received', 'unknown', 'unsent']);
  for (const phase of PAYMENT_PHASES) expect(PHASE_FACTS[phase].isOpen).toBe(PHASE_FACTS[phase].blocksPaying);
});

test.each<[browser: OpenOrder | null, server: Payment['state'] | null, OrderPhase]>([
  [entry('unsent', SIGNED), null, 'unsent'],
  [entry('unsent', SIGNED), 'draft', 'unsent'],
  [entry('unsent', SIGNED), 'signed', 'looking'],
  [entry('unsent', SIGNED), 'paid', 'received'],
  [entry('unsent', SIGNED), 'fulfilled', 'done'],
  [entry('unsent', SIGNED), 'expired', 'not_paid'],
  [entry('unsent', SIGNED), 'failed', 'not_paid'],
  // A wallet that has sent the transaction itself does not care for the server's time limit.
  [entry('unsent', SENT), 'expired', 'unsent'],
  [entry('unknown'), 'expired', 'unknown'],
  [entry('unknown'), 'draft', 'unknown'],
  [entry('unknown'), 'signed', 'looking'],
  [entry('received'), null, 'received'],
  // A list that was read before the execution.
  [entry('received'), 'draft', 'received'],
  [entry('received'), 'signed', 'received'],
  [entry('received'), 'fulfilled', 'done'],
  [entry('received'), 'unclaimed', 'review'],
  [entry('looking'), 'paid', 'received'],
  [entry('looking'), 'failed', 'not_paid'],
  [null, 'signed', 'looking'],
  [null, 'refunded', 'refunded'],
])('the phase of %o and server state %s is %s', (browser, server, phase) => {
  expect(phaseOf(browser, server && paymentOf(server))).toBe(phase);
});

const actions = (one: OpenOrder, server: Payment[] = []) => orderViews([one], server)[0]?.actions;

test('an order can be canceled unless it moved money', () => {
  expect(actions(entry('unsent', SIGNED))).toEqual(['send', 'cancel']);
  expect(actions(entry('unsent', SENT))).toEqual(['send']);
  expect(actions(entry('unknown'))).toEqual(['name', 'cancel']);
  expect(actions(entry('received'))).toEqual([]);
  expect(actions(entry('unsent', SIGNED), [paymentOf('signed')])).toEqual([]);
});

test("unsigned drafts are not shown, and others have the server's name", () => {
  expect(orderViews([], [paymentOf('draft'), paymentOf('expired')])).toEqual([]);
  expect(orderViews([entry('unsent', SIGNED)], [paymentOf('draft')])).toMatchObject([
    { name: 'Coral', phase: 'unsent' },
  ]);
});

test('an order shows the amount received, or the amount requested [R16]', () => {
  const amounts = (changes: Partial<Payment>) => orderViews([], [paymentOf('unclaimed', changes)])[0]?.amountMist;
  expect(amounts({ receivedMist: '14000000000' })).toBe('14000000000');
  expect(amounts({})).toBe('15000000000');
});

test('an open order blocks the same order and no other', () => {
  const views = orderViews(
    [entry('received')],
    [paymentOf('signed', { paymentId: 'p2', purpose: 'submit', projectId: null })],
  );
  expect(blockingOrder(views, 'renew', 3)?.paymentId).toBe('p1');
  expect(blockingOrder(views, 'renew', 4)).toBeNull();
  expect(blockingOrder(views, 'update', 3)).toBeNull();
  expect(blockingOrder(views, 'submit', null)?.paymentId).toBe('p2');
  expect(blockingOrder(orderViews([], [paymentOf('fulfilled')]), 'renew', 3)).toBeNull();
});
