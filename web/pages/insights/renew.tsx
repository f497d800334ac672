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
import { Card, CardTitle } from '../../ui/card.tsx';

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
    <>
      <Card aria-labelledby="next">
        <CardTitle id="next">The next {LISTING_DAYS} days</CardTitle>
        <p>
          Renewed, it is in every voter's deck from {dayOf(fromMs)} until {dayOf(fromMs + LISTING_DAYS * DAY_MS)}.
          Everybody is asked again
          {project.totalVotes === 0 ? '' : `: ${plural(project.totalVotes, 'earlier voter')}, and all who are new`}.
        </p>
        {isAdmin ? null : <TermsNote className="mt-2 text-sm text-muted" />}
      </Card>
      <div className="sticky bottom-0 z-10 grid bg-bg pt-2 pb-3 shadow-[0_-0.5rem_0.75rem_var(--c-bg)] sm:justify-items-center">
        <Button
          size="lg"
          busy={phase === 'idle' ? waits : 'Processing Payment...'}
          onClick={() => void renew()}
          className="sm:min-w-96"
        >
          <RenewLabel isOver={endsMs <= serverNow()} isFree={isAdmin} />
        </Button>
      </div>
    </>
  );
}
