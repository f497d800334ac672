import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether this moment has passed, by the server's clock; null never does. */
export function useIsPast(iso: string | null): boolean {
  const [, setTick] = useState(0);
  const leftMs = iso === null ? null : Date.parse(iso) - serverNow();
  const isComing = leftMs !== null && leftMs > 0;
  useEffect(() => {
    if (!isComing || iso === null) return undefined;
    const timer = setTimeout(
      () => setTick((tick) => tick + 1),
      Math.min(MAX_TIMER_MS, Date.parse(iso) - serverNow() + 1),
    );
    return () => clearTimeout(timer);
  }, [isComing, iso]);
  return leftMs !== null && leftMs <= 0;
}
