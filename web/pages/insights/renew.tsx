import { useLocation } from 'wouter';
import { LISTING_DAYS } from '#shared/constants.ts';
import type { Insights } from '#shared/contract/insights.ts';
import { plural } from '#shared/numbers/plural.ts';
import { dayText } from '#shared/text/day-text.ts';
import { DAY_MS } from '../../components/charts/days.ts';
import { insightsPath } from '../../components/listing/insights-path.ts';
import { RenewLabel } from '../../components/listing/renew-label.tsx';
import { serverNow } from '../../lib/server-clock.ts';
import { blockingOrder, ORDER_FACTS } from '../../payments/open-phases.ts';
import { TermsNote } from '../../payments/terms-note.tsx';
import { useOpenOrders } from '../../payments/use-open-orders.ts';
import { useOrder } from '../../payments/use-order.ts';
import { Button } from '../../ui/button.tsx';

/** What the next days add, and the payment (R96). */
export function Renew({ userId, project }: { userId: number; project: Insights['project'] }) {
  const { place, phase, isAdmin } = useOrder();
  const open = blockingOrder(useOpenOrders(userId, true).views, 'renew', project.id);
  const [, navigate] = useLocation();
  const endsMs = Date.parse(project.expiresAt);
  const fromMs = Math.max(endsMs, serverNow());
  const dayOf = (ms: number) => dayText(new Date(ms).toISOString());
  const waits = open ? ORDER_FACTS[open.phase].title : false;

  async function renew(): Promise<void> {
    const outcome = await place({ purpose: 'renew', projectId: project.id });
    if (outcome?.state === 'done') navigate(insightsPath(project), { replace: true });
  }
  return (
    <section aria-labelledby="next" className="panel grid gap-3 p-5">
      <h2 id="next" className="text-lg">
        The next {LISTING_DAYS} days
      </h2>
      <p>
        Renewed, it is in every voter's deck from {dayOf(fromMs)} until {dayOf(fromMs + LISTING_DAYS * DAY_MS)}.
        Everybody is asked again
        {project.totalVotes === 0 ? '' : `: ${plural(project.totalVotes, 'earlier voter')}, and all who are new`}.
      </p>
      <Button size="lg" busy={phase === 'idle' ? waits : 'Processing Payment...'} onClick={() => void renew()}>
        <RenewLabel isOver={endsMs <= serverNow()} isFree={isAdmin} />
      </Button>
      {isAdmin ? null : <TermsNote className="text-sm text-muted" />}
    </section>
  );
}
