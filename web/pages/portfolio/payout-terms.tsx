import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Hourglass } from 'lucide-react';
import type { Missing, WithdrawalTerms } from '#shared/contract/withdrawals.ts';
import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { openText, waitsText } from '../../components/values/wait-text.ts';
import { queries } from '../../lib/queries.ts';
import { cn } from '../../ui/class-names.ts';

const MISSING: Record<Exclude<Missing, 'paused'>, string> = {
  standing: 'Your votes are not verified yet. Your portfolio says what is missing.',
  days_held: `Your wallet held enough SUI on fewer than ${LASTING_DAYS} of the last ${STANDING_VOTER_DAYS} days checked.`,
  excluded_votes: 'Some of your votes are excluded.',
  limit: 'You have reached the 30-day limit for automatic payouts.',
  books: 'Automatic payouts wait for the next check of the books.',
};

function summary({ automatic, missing }: WithdrawalTerms): string {
  if (missing.length > 0) return 'We review this request by hand, because:';
  if (automatic === null) return 'Your wallet qualifies for a payout. We approve it by hand.';
  const most = `up to ${automatic.leftSnaps.toLocaleString()} Snaps are`;
  return automatic.isPaid
    ? `Your wallet qualifies: ${most} paid automatically, usually within a minute.`
    : `Your wallet qualifies: ${most} approved automatically. We send the payout by hand.`;
}

export function PayoutTerms({ userId }: { userId: number }) {
  const { data } = useQuery(queries.withdrawalTerms(userId));
  if (!data) return null;
  const reasons = data.missing.flatMap((what) => (what === 'paused' ? [] : [MISSING[what]]));
  const isPaused = data.missing.includes('paused');
  const qualifies = data.missing.length === 0;
  const Icon = qualifies ? BadgeCheck : Hourglass;
  const open = openText(data.waits);
  return (
    <section aria-label="Payout" className="grid gap-2 rounded-lg border border-line p-4 text-sm">
      {isPaused && reasons.length === 0 ? null : (
        <div className="flex items-start gap-2 text-base">
          <Icon aria-hidden size={20} className={cn('mt-0.5 shrink-0', qualifies ? 'text-text' : 'text-text')} />
          <div className="grid gap-1">
            <p className="font-semibold">{summary(data)}</p>
            {reasons.length > 0 ? (
              <ul className="list-disc ps-5">
                {reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            ) : null}
          </div>
        </div>
      )}
      <p className="text-muted">
        {waitsText(data.waits)} {open}
      </p>
    </section>
  );
}
