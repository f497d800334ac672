import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { withdrawalStateLabel } from '../../components/withdrawal-state.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { deskQueries } from './admin-queries.ts';
import { Payouts } from './payouts.tsx';
import { QueueExport } from './queue-export.tsx';
import { ReadyToPay } from './ready-to-pay.tsx';
import { WithdrawalRow } from './withdrawal-row.tsx';

const STATES: readonly WithdrawalState[] = ['requested', 'approved', 'sending', 'failed', 'paid', 'rejected'];
const OPTIONS = STATES.map((value) => ({ value, label: withdrawalStateLabel(value) }));

/** The queue of withdrawals by state: approve, reject, and pay many in one transaction (R33). */
export function WithdrawalsTab() {
  const [state, setState] = useState<WithdrawalState>('requested');
  const { data, error, refetch, isFetching } = useQuery(deskQueries.withdrawals(state));
  return (
    <div className="grid grid-cols-1 gap-6">
      <ReadyToPay />
      <Card aria-labelledby="queue">
        <CardTitle id="queue" aside={data ? <span className="text-muted">{data.length.toLocaleString()}</span> : null}>
          Withdrawal queue
        </CardTitle>
        <div className="mb-4 max-w-full overflow-x-auto p-1">
          <Segmented
            label="State of the withdrawals"
            options={OPTIONS}
            value={state}
            onChange={setState}
            className="max-w-none"
          />
        </div>
        {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
        {!data && !error ? <Skeleton className="h-44 w-full" /> : null}
        {data?.length === 0 ? (
          <EmptyState icon={<Inbox size={28} />} title="Nothing here">
            No withdrawals are {withdrawalStateLabel(state).toLowerCase()} right now.
          </EmptyState>
        ) : null}
        {data && data.length > 0 ? (
          <div className="grid grid-cols-1 gap-4">
            <ul className="divide-y divide-line">
              {data.map((withdrawal) => (
                <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
              ))}
            </ul>
            <QueueExport state={state} withdrawals={data} />
          </div>
        ) : null}
      </Card>
      <Payouts />
    </div>
  );
}
