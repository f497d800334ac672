// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openOrderOf } from '../testing/made-up.ts';
import { act, useTestPage } from '../testing/screen.tsx';
import { type OrderPhase, orderViews, type OrderView } from './open-phases.ts';
import { finishedOrder } from './use-open-orders.ts';
import { usePaidFor } from './use-paid-for.ts';

useTestPage();

const unsent = orderViews([openOrderOf()], [])[0] ?? null;
const viewAt = (phase: OrderPhase, paymentId = 'p1'): OrderView | null => unsent && { ...unsent, phase, paymentId };

/** A form that shows one order after the other; says how often it was emptied. */
function watch(first: OrderView | null) {
  finishedOrder.set(null);
  const onPaid = vi.fn<() => void>();
  function Form({ open }: { open: OrderView | null }) {
    usePaidFor(open, onPaid);
    return null;
  }
  const { rerender } = render(<Form open={first} />);
  return { onPaid, show: (open: OrderView | null) => rerender(<Form open={open} />) };
}

test.each(['looking', 'received', 'review', 'done'] as const)('a form is emptied when its order is %s', (phase) => {
  const { onPaid, show } = watch(viewAt('unsent'));
  show(viewAt(phase));
  show(viewAt(phase));
  expect(onPaid).toHaveBeenCalledTimes(1);
});

test.each(['unknown', 'unsent', 'not_paid', 'refunded'] as const)('a form is kept while its order is %s', (phase) => {
  const { onPaid, show } = watch(viewAt('unknown'));
  show(viewAt(phase));
  show(null);
  expect(onPaid).not.toHaveBeenCalled();
});

test('an order that ends on its page empties its own form only', () => {
  const { onPaid, show } = watch(viewAt('unsent'));
  show(null);
  act(() => finishedOrder.set(viewAt('done', 'p2')));
  expect(onPaid).not.toHaveBeenCalled();
  act(() => finishedOrder.set(viewAt('done')));
  expect(onPaid).toHaveBeenCalledTimes(1);
});

test('an order from before the form leaves the form alone', () => {
  const { onPaid, show } = watch(viewAt('received'));
  show(viewAt('done'));
  act(() => finishedOrder.set(viewAt('done')));
  expect(onPaid).not.toHaveBeenCalled();
});
