import { useEffect, useRef } from 'react';
import { useStore } from '../lib/external-store.ts';
import type { OrderView } from './open-phases.ts';
import { finishedOrder } from './use-open-orders.ts';

/** Calls back once when the open order has its money, and not when the payment was canceled or failed. */
export function usePaidFor(open: OrderView | null, onPaid: () => void): void {
  const watched = useRef<string | null>(null);
  const finished = useStore(finishedOrder);
  useEffect(() => {
    if (open && (open.phase === 'unknown' || open.phase === 'unsent')) watched.current = open.paymentId;
    if (watched.current === null) return;
    const hasMoney = (view: OrderView | null) =>
      view?.paymentId === watched.current && ['looking', 'received', 'review', 'done'].includes(view.phase);
    if (!hasMoney(open) && !hasMoney(finished)) return;
    watched.current = null;
    onPaid();
  }, [open, finished, onPaid]);
}
