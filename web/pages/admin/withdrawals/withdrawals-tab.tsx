import { Inbox } from 'lucide-react';
import { useState } from 'react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { VOTER_STATES, type VoterState } from '#shared/states/votes.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { voterStateLabel } from '../../../components/values/voter-state.tsx';
import { withdrawalStateLabel } from '../../../components/values/withdrawal-state.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useList } from '../../../lib/use-list.ts';
import { adminLists, pollQueue } from '../admin-queries.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { AutomaticPayouts } from './automatic-payouts.tsx';
import { PayoutHistory } from './payout-history.tsx';
import { Payouts } from './payouts.tsx';
import { ReadyToPay } from './ready-to-pay.tsx';
import { WithdrawalRow } from './withdrawal-row.tsx';

const STATES: readonly WithdrawalState[] = ['requested', 'approved', 'sending', 'failed', 'paid', 'rejected'];
const OPTIONS = STATES.map((value) => ({ value, label: withdrawalStateLabel(value) }));

type StandingFilter = VoterState | 'all';
const WALLETS: ReadonlyArray<{ value: StandingFilter; label: string }> = [
  { value: 'all', label: 'All wallets' },
  ...VOTER_STATES.toReversed().map((value) => ({ value, label: voterStateLabel(value) })),
];

/** A row of the CSV: the risk's numbers are columns of their own. */
const toRows = ({ risk, ...withdrawal }: AdminWithdrawal) => [{ ...withdrawal, ...risk }];
const COLUMNS = [
  'id',
  'state',
  'tokenAmount',
  'walletAddress',
  'userId',
  'username',
  'batchId',
  'digest',
  'reason',
  'createdAt',
  'updatedAt',
  'standing',
  'votes',
  'verified',
  'excluded',
  'voteDays',
  'votesPerMinute',
  'sameNetwork',
  'equalVotes',
];

/** The queue of withdrawals by state: approve, reject, and pay many in one transaction (R33). */
export function WithdrawalsTab() {
  const [state, setState] = useState<WithdrawalState>('requested');
  const [wallets, setWallets] = useState<StandingFilter>('all');
  const source = adminLists.withdrawals(state, wallets === 'all' ? undefined : wallets);
  const { rows, error, retry, isRetrying, more } = useList(source, {
    noun: 'withdrawals',
    refetchInterval: pollQueue,
  });
  return (
    <div className="grid grid-cols-1 gap-6">
      <AutomaticPayouts />
      <PayoutHistory />
      <ReadyToPay />
      <Card aria-labelledby="queue">
        <CardTitle id="queue" aside={<TotalCount total={rows && more.total} />}>
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
        <div className="mb-4 max-w-full overflow-x-auto p-1">
          <Segmented label="Wallets" options={WALLETS} value={wallets} onChange={setWallets} className="max-w-none" />
        </div>
        {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
        {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
        {rows?.length === 0 ? (
          <EmptyState icon={<Inbox size={28} />} title="Nothing here">
            No withdrawals{wallets === 'all' ? '' : ` of wallets that are '${voterStateLabel(wallets)}'`} are{' '}
            {state === 'sending' ? 'being sent' : withdrawalStateLabel(state).toLowerCase()} right now.
          </EmptyState>
        ) : null}
        {rows && rows.length > 0 ? (
          <div className="grid grid-cols-1 gap-4">
            <ul className="divide-y divide-line">
              {rows.map((withdrawal) => (
                <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
              ))}
            </ul>
            <ShowMore more={more} noun="withdrawals" />
            <CsvButton name={`Withdrawals ${state}`} columns={COLUMNS} source={source} toRows={toRows} />
          </div>
        ) : null}
      </Card>
      <Payouts />
    </div>
  );
}
