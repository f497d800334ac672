import { expect, test } from 'vitest';
import { apiErrorOf } from '../testing/made-up.ts';
import { OrderError } from './order.ts';
import { failureToast, outcomeToast } from './order-toasts.ts';

const of = (purpose: 'submit' | 'update' | 'renew', stage: 'prepare' | 'pay' | 'place', cause: unknown = null) => {
  const { title, description } = failureToast(purpose, new OrderError(stage, cause));
  return [title, description];
};

test('a failed payment names its purpose, with the message of the wallet or the fallback [S8.8 S8.9]', () => {
  expect(of('submit', 'prepare')).toEqual(['Payment Error', 'Failed to create payment transaction']);
  expect(of('submit', 'pay')).toEqual(['Payment Failed', 'Failed to process SUI payment. Please try again.']);
  expect(of('update', 'pay')).toEqual(['Payment Failed', 'Failed to process 5 SUI payment']);
  expect(of('renew', 'pay')).toEqual(['Payment Failed', 'Failed to process 15 SUI payment']);
  expect(of('renew', 'pay', new Error('You declined the request in your wallet.'))[1]).toBe(
    'You declined the request in your wallet.',
  );
  expect(of('submit', 'pay', new Error('x'.repeat(900)))[1]).toBe('Failed to process SUI payment. Please try again.');
});

test('a failed order has its title, with the message of the server or the fallback [S8.10 S8.11 S8.12]', () => {
  expect(of('submit', 'place')).toEqual(['Error', 'Failed to submit project. Please try again.']);
  expect(of('update', 'place')).toEqual(['Update failed', 'Failed to update project']);
  expect(of('renew', 'place')).toEqual(['Renewal failed', 'Failed to renew project']);
  expect(of('renew', 'place', apiErrorOf(409, 'x', 'Project not found'))[1]).toBe('Project not found');
});

test('a finished order says what was paid, and an open one not to pay again [S8.21]', () => {
  const done = { state: 'done', project: {} } as Parameters<typeof outcomeToast>[1];
  expect(outcomeToast('submit', done, false)).toMatchObject({
    title: 'Project submitted successfully!',
    description: 'Your project is live for 31 days. 15 SUI has been paid.',
  });
  expect(outcomeToast('update', done, false)).toMatchObject({
    title: 'Project updated!',
    description: expect.stringContaining('5 SUI has been paid'),
  });
  expect(outcomeToast('renew', done, false)).toMatchObject({
    title: 'Project renewed!',
    description: expect.stringContaining('extended by 31 days'),
  });
  expect(outcomeToast('submit', done, true).description).toContain('Free for the admin');
  const open = (phase: 'unsent' | 'looking' | 'received') =>
    outcomeToast('submit', { state: 'open', phase, paymentId: 'p' }, false);
  expect(open('unsent').title).toBe('Not sent yet');
  expect(open('looking').title).toBe('Looking for your payment');
  expect(open('received')).toMatchObject({
    title: 'Payment received, finishing…',
    description: expect.stringContaining('do not have to pay again'),
  });
});
