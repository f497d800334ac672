import { type ComponentType, lazy, Suspense } from 'react';
import { useStore } from '../../external-store.ts';
import { journal, type OpenOrder } from '../../payments/journal.ts';

type Props = { userId: number; className?: string };

const OpenPayments = lazy<ComponentType<Props>>(() =>
  import('../../payments/open-payments.tsx').then(
    (module) => ({ default: module.OpenPayments }),
    // The deck must not go down with it; the portfolio shows the same.
    (error: unknown) => (console.warn('Open payments could not be loaded', error), { default: () => null }),
  ),
);

const NONE: readonly OpenOrder[] = [];
/** A server knows of no browser's payments. */
const noneDrawn = () => NONE;

/** Payments that this browser has begun and not seen the end of; hardly anybody has one, so that nothing is loaded without. */
export function OpenPaymentsHere({ userId, className }: { userId: number; className: string }) {
  const entries = useStore(journal, noneDrawn);
  if (!entries.some((entry) => entry.userId === userId)) return null;
  return (
    <Suspense fallback={null}>
      <OpenPayments userId={userId} className={className} />
    </Suspense>
  );
}
