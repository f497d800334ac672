import { useCallback, useRef, useState } from 'react';
import { ApiError } from '../api-error.ts';
import { queryClient } from '../queries.ts';
import { useSession } from '../session.ts';
import { useSiteConfig } from '../site.ts';
import { toast } from '../toast.ts';
import { loadWallet } from '../wallet-gate.ts';
import { type Order, OrderError, type OrderOutcome } from './order.ts';
import { outcomeToast, tellFailure } from './order-toasts.ts';
import { payForOrder, placeForFree } from './pay.ts';

/** idle · paying: until the chain has the money · placing: the project call is under way. */
export type OrderPhase = 'idle' | 'paying' | 'placing';

/** Reads that an order can change. */
const TOUCHED = [
  ['/api/projects'],
  ['/api/projects/wallet'],
  ['/api/projects/leaderboard/all'],
  ['/api/payments'],
  ['/api/users/activity'],
];

export function refreshAfterOrder(): void {
  for (const queryKey of TOUCHED) void queryClient.invalidateQueries({ queryKey });
}

/** Whether the session's wallet is the one admin wallet, which pays nothing (S6.3); the server decides. */
export function useIsAdmin(): boolean {
  const wallet = useSession().user?.walletAddress;
  const adminWallet = useSiteConfig()?.adminWallet;
  return wallet !== undefined && wallet.toLowerCase() === adminWallet?.toLowerCase();
}

/** The input that the server's refusal is about, with its sentence; null when it is about none. */
export function fieldFault(error: unknown): { field: string; message: string } | null {
  const cause = error instanceof OrderError ? error.cause : error;
  return cause instanceof ApiError && cause.field !== null
    ? { field: cause.field, message: cause.serverMessage }
    : null;
}

/**
 * Places orders one at a time, with their toasts. `place` resolves to the outcome, or to the error after it was shown:
 * it never rejects, and a second call while one runs does nothing (null).
 */
export function useOrder() {
  const { user } = useSession();
  const isAdmin = useIsAdmin();
  const [phase, setPhase] = useState<OrderPhase>('idle');
  const running = useRef(false);

  const place = useCallback(
    async (order: Order): Promise<OrderOutcome | { state: 'failed'; error: unknown } | null> => {
      if (!user || running.current) return null;
      running.current = true;
      const payer = { userId: user.id, walletAddress: user.walletAddress };
      const deps = { loadWallet, onPlacing: () => setPhase('placing') };
      setPhase(isAdmin ? 'placing' : 'paying');
      try {
        const outcome = await (isAdmin ? placeForFree(order, payer, deps) : payForOrder(order, payer, deps));
        toast(outcomeToast(order.purpose, outcome, isAdmin));
        return outcome;
      } catch (error) {
        tellFailure(order.purpose, error);
        return { state: 'failed', error };
      } finally {
        running.current = false;
        setPhase('idle');
        refreshAfterOrder();
      }
    },
    [user, isAdmin],
  );
  return { place, phase, isAdmin };
}
