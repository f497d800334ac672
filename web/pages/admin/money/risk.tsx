import type { WithdrawalRisk } from '#shared/contract/admin.ts';
import { plural } from '#shared/numbers/plural.ts';
import { VoterStateBadge } from '../../../components/values/voter-state.tsx';
import { FactLine } from '../../../ui/facts.tsx';

const rounded = (number: number): string => (Math.round(number * 10) / 10).toLocaleString();

export function Risk({ risk }: { risk: WithdrawalRisk }) {
  const facts = [
    { label: 'Days with votes', value: risk.voteDays.toLocaleString() },
    { label: 'Votes', value: risk.votes.toLocaleString() },
    { label: 'Verified for good', value: risk.verified.toLocaleString() },
    { label: 'Excluded', value: risk.excluded.toLocaleString() },
    { label: 'Votes a minute', value: rounded(risk.votesPerMinute) },
    { label: 'Same network', value: plural(risk.sameNetwork, 'other wallet') },
    { label: 'Equal votes', value: `${Math.round(risk.equalVotes * 100)}%` },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      <VoterStateBadge state={risk.standing} />
      <FactLine facts={facts} />
    </div>
  );
}
