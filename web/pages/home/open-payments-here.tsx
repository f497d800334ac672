import { OnDemand } from '../../components/states/on-demand.tsx';
import { useStore } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { journal, type OpenOrder } from '../../payments/journal.ts';

const openPayments = loadable(async () => (await import('../../payments/open-payments.tsx')).OpenPayments);

const NONE: readonly OpenOrder[] = [];
const noneDrawn = () => NONE;

export function OpenPaymentsHere({ userId, className }: { userId: number; className: string }) {
  const entries = useStore(journal, noneDrawn);
  if (!entries.some((entry) => entry.userId === userId)) return null;
  return (
    <OnDemand name="Your open payments" onRetry={openPayments.retry} className={className}>
      <openPayments.Part userId={userId} className={className} />
    </OnDemand>
  );
}
