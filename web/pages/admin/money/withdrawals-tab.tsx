import { Inbox } from 'lucide-react';
import { useState } from 'react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { VOTER_STATES, type VoterState } from '#shared/states/votes.ts';
import { voterStateLabel } from '../../../components/values/voter-state.tsx';
import { withdrawalStateLabel } from '../../../components/values/withdrawal-state.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { adminList, pollQueue } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { AutomaticPayouts } from './automatic-payouts.tsx';
import { PauseSwitch } from './pause-switch.tsx';
import { PayoutBook } from './payout-book.tsx';
import { ReadyToPay } from './ready-to-pay.tsx';
import { WithdrawalRow } from './withdrawal-row.tsx';

const STATES: readonly WithdrawalState[] = ['requested', 'approved', 'paid', 'rejected'];
const OPTIONS = STATES.map((value) => ({ value, label: withdrawalStateLabel(value) }));

type StandingFilter = VoterState | 'all';
const WALLETS: ReadonlyArray<{ value: StandingFilter; label: string }> = [
  { value: 'all', label: 'All wallets' },
  ...VOTER_STATES.toReversed().map((value) => ({ value, label: voterStateLabel(value) })),
];

const toRow = ({ risk, ...withdrawal }: AdminWithdrawal) => ({ ...withdrawal, ...risk });

export function WithdrawalsTab() {
  const [state, setState] = useState<WithdrawalState>('requested');
  const [wallets, setWallets] = useState<StandingFilter>('all');
  const filters = [
    <Segmented
      key="state"
      label="State of the withdrawals"
      options={OPTIONS}
      value={state}
      onChange={setState}
      className="max-w-none"
    />,
    <Segmented
      key="wallets"
      label="Wallets"
      options={WALLETS}
      value={wallets}
      onChange={setWallets}
      className="max-w-none"
    />,
  ];
  return (
    <div className="grid grid-cols-1 gap-6">
      <PauseSwitch />
      <AutomaticPayouts />
      <PayoutBook />
      <ReadyToPay />
      <Queue
        title="Withdrawal queue"
        noun="withdrawals"
        source={adminList('listAllWithdrawals', { state, standing: wallets === 'all' ? undefined : wallets })}
        poll={pollQueue}
        filter={filters.map((filter) => (
          <div key={filter.key} className="max-w-full overflow-x-auto p-1">
            {filter}
          </div>
        ))}
        empty={{
          Icon: Inbox,
          title: 'Nothing here',
          text: `No withdrawals${wallets === 'all' ? '' : ` of wallets that are '${voterStateLabel(wallets)}'`} are ${withdrawalStateLabel(
            state,
          ).toLowerCase()} right now.`,
        }}
        csv={{ name: `Withdrawals ${state}`, toRow }}
        renderRow={(withdrawal) => <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />}
      />
    </div>
  );
}
