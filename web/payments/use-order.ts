import { useCallback, useRef, useState } from 'react';
import { PRODUCT } from '#shared/constants.ts';
import { ApiError } from '../lib/api-error.ts';
import { useSession } from '../lib/session.ts';
import { useSiteConfig } from '../lib/site.ts';
import { toast, type ToastOptions } from '../lib/toast.ts';
import { loadWallet } from '../wallet-gate.ts';
import { type Order, OrderError, type OrderOutcome } from './order.ts';
import { outcomeToast, showFailure } from './order-toasts.ts';
import { payForOrder, placeForFree } from './pay.ts';
import { refreshAfterOrder } from './refresh.ts';
import { payingNow } from './use-open-orders.ts';

export type OrderStep = 'idle' | 'paying' | 'placing';

/** Whether the session's wallet is the one admin wallet, which pays nothing (S6.3); the server decides. */
export function useIsAdmin(): boolean {
  const wallet = useSession().user?.walletAddress;
  const adminWallet = useSiteConfig()?.adminWallet;
  return wallet !== undefined && wallet.toLowerCase() === adminWallet?.toLowerCase();
}

/** The field that the server rejected, with its message; null when the rejection names no field. */
export function fieldErrorOf(error: unknown): { field: string; message: string } | null {
  const cause = error instanceof OrderError ? error.cause : error;
  return cause instanceof ApiError && cause.field !== null
    ? { field: cause.field, message: cause.serverMessage }
    : null;
}

/** Runs one payment at a time in all tabs of this browser; null when another tab runs one. A closed tab releases the lock. */
async function inOneTab<T>(work: () => Promise<T>): Promise<T | null> {
  // Missing where the page is not served securely.
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return work();
  return locks.request(`${PRODUCT}_payment`, { ifAvailable: true }, (lock) => (lock ? work() : null));
}

const IN_ANOTHER_TAB: ToastOptions = {
  title: 'Payment in progress',
  description: 'You are paying in another tab of this browser. Finish or close it first.',
};

/** Never rejects: resolves to the outcome, to an error that was shown, or to null while another call runs. */
export function useOrder() {
  const { user } = useSession();
  const isAdmin = useIsAdmin();
  const [phase, setPhase] = useState<OrderStep>('idle');
  const running = useRef(false);

  const place = useCallback(
    async (order: Order): Promise<OrderOutcome | { state: 'failed'; error: unknown } | null> => {
      if (!user || running.current) return null;
      running.current = true;
      const payer = { userId: user.id, walletAddress: user.walletAddress };
      const deps = { loadWallet, onPlacing: () => setPhase('placing') };
      setPhase(isAdmin ? 'placing' : 'paying');
      try {
        payingNow.set(!isAdmin);
        const outcome = await (isAdmin
          ? placeForFree(order, payer, deps)
          : inOneTab(() => payForOrder(order, payer, deps)));
        toast(outcome ? outcomeToast(order.purpose, outcome, isAdmin) : IN_ANOTHER_TAB);
        return outcome;
      } catch (error) {
        showFailure(order.purpose, error);
        return { state: 'failed', error };
      } finally {
        running.current = false;
        payingNow.set(false);
        setPhase('idle');
        refreshAfterOrder();
      }
    },
    [user, isAdmin],
  );
  return { place, phase, isAdmin };
}
