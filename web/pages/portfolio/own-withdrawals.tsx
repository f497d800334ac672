import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, CirclePause } from 'lucide-react';
import { useState } from 'react';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { Digest } from '../../components/digest.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { WithdrawalStateBadge } from '../../components/withdrawal-state.tsx';
import { queries } from '../../queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';

const SHOWN = 3;
const POLL_MS = 10_000;
const isOpen = ({ state }: Withdrawal) => state !== 'paid' && state !== 'rejected';

function Line({ withdrawal }: { withdrawal: Withdrawal }) {
  const { tokenAmount, state, createdAt, digest, reason } = withdrawal;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
      <p className="font-semibold">{tokenAmount.toLocaleString()} tokens</p>
      <WithdrawalStateBadge state={state} />
      <p className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint">
        <RelativeTime iso={createdAt} />
        {digest ? <Digest digest={digest} /> : null}
        {reason ? <span className="text-warn">{reason}</span> : null}
      </p>
    </li>
  );
}

/** The user's withdrawals with their states (R14), watched while one is open; nothing before the first. */
export function OwnWithdrawals({ userId }: { userId: number }) {
  const [showsAll, setShowsAll] = useState(false);
  const { data } = useQuery({
    ...queries.withdrawals(userId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.withdrawals.some(isOpen) ? POLL_MS : false),
  });
  if (!data || data.withdrawals.length === 0) return null;
  const { withdrawals, paused } = data;
  return (
    <Card aria-labelledby="withdrawals">
      <CardTitle
        id="withdrawals"
        icon={<ArrowUpRight aria-hidden size={20} className="text-link" />}
        aside={
          paused ? (
            <Badge tone="warn">
              <CirclePause aria-hidden size={14} />
              Paused
            </Badge>
          ) : null
        }
      >
        Your withdrawals
      </CardTitle>
      <ul className="divide-y divide-line" aria-live="polite">
        {(showsAll ? withdrawals : withdrawals.slice(0, SHOWN)).map((withdrawal) => (
          <Line key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      {withdrawals.length > SHOWN && !showsAll ? (
        <Button variant="secondary" className="mt-4" onClick={() => setShowsAll(true)}>
          Show all {withdrawals.length}
        </Button>
      ) : null}
    </Card>
  );
}
