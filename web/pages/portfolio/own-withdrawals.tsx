import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Digest } from '../../components/values/digest.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { ShowMore, Unfold } from '../../components/states/show-more.tsx';
import { WithdrawalStateBadge } from '../../components/values/withdrawal-state.tsx';
import { queries } from '../../lib/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { useList } from '../../lib/use-list.ts';

const SHOWN = 3;
const POLL_MS = 10_000;
const isOpen = ({ state }: Withdrawal) => state !== 'paid' && state !== 'rejected';

function Line({ withdrawal }: { withdrawal: Withdrawal }) {
  const { tokenAmount, state, createdAt, digest, reason, paidEarlier } = withdrawal;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
      <p className="font-semibold">{tokenAmount.toLocaleString()} Snaps</p>
      <WithdrawalStateBadge state={state} />
      <p className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint">
        <RelativeTime iso={createdAt} />
        {digest && paidEarlier ? <span>Paid earlier, in</span> : null}
        {digest ? <Digest digest={digest} /> : null}
        {reason ? <span className="text-text">{reason}</span> : null}
      </p>
    </li>
  );
}

export function OwnWithdrawals({ userId }: { userId: number }) {
  const [showsAll, setShowsAll] = useState(false);
  const { rows, first, error, retry, isRetrying, more } = useList(queries.withdrawals(userId), {
    noun: 'withdrawals',
    refetchInterval: (known) => (known?.pages.some((page) => page.rows.some(isOpen)) ? POLL_MS : false),
  });
  if (error) return <ErrorState error={error} onRetry={retry} retrying={isRetrying} className="panel" />;
  if (!rows || (rows.length === 0 && !first?.prepaid)) return null;
  return (
    <Card aria-labelledby="withdrawals">
      <CardTitle
        id="withdrawals"
        aside={
          first?.paused ? (
            <Badge tone="warn">
              <CirclePause aria-hidden size={14} />
              Paused
            </Badge>
          ) : null
        }
      >
        Your withdrawals
      </CardTitle>
      {first?.prepaid ? (
        <p className="mb-3 text-sm text-muted">
          {plural(first.prepaid.snaps, 'Snap')} of your next withdrawals {first.prepaid.snaps === 1 ? 'was' : 'were'}{' '}
          paid already, in <Digest digest={first.prepaid.digest} />
        </p>
      ) : null}
      <ul className="divide-y divide-line" aria-live="polite">
        {(showsAll ? rows : rows.slice(0, SHOWN)).map((withdrawal) => (
          <Line key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      {showsAll ? <ShowMore more={more} noun="withdrawals" /> : null}
      {rows.length > SHOWN && !showsAll ? <Unfold more={more} onClick={() => setShowsAll(true)} /> : null}
    </Card>
  );
}
