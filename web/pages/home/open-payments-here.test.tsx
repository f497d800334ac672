// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { listPayments } from '#shared/contract/payments.ts';
import { journal } from '../../payments/journal.ts';
import { openOrderOf } from '../../testing/made-up.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { OpenPaymentsHere } from './open-payments-here.tsx';

const server = useTestPage();
const shown = () => screen.queryByRole('region', { name: 'Open payments' });
const OTHERS = openOrderOf({ userId: 8, phase: 'unknown', proof: null });

beforeEach(() => {
  for (const { paymentId } of journal.get()) journal.remove(paymentId);
  server().respond(listPayments, [], { total: 0 });
});

test("the home shows only this user's payments, as soon as the journal has one [R16]", async () => {
  journal.put(OTHERS);
  draw(<OpenPaymentsHere userId={7} className="own" />);
  await act(() => import('../../payments/open-payments.tsx'));
  expect(shown()).toBeNull();
  expect(server().calls(listPayments)).toEqual([]);
  await act(async () => journal.put(openOrderOf({ paymentId: 'p2', name: 'Kelp', phase: 'unknown', proof: null })));
  const region = await screen.findByRole('region', { name: 'Open payments' });
  expect(region).toHaveTextContent('Renewal of Kelp, 15 SUI');
  expect(region).not.toHaveTextContent('Coral');
  expect(region).toHaveClass('own');
  act(() => journal.remove('p2'));
  expect(shown()).toBeNull();
  expect(journal.get()).toEqual([OTHERS]);
});
