import type { WithdrawalRisk } from '#shared/contract/admin.ts';
import { plural } from '#shared/numbers/plural.ts';
import { VoterStateBadge } from '../../../components/values/voter-state.tsx';
import { FactList } from './fact-list.tsx';

const rounded = (number: number): string => (Math.round(number * 10) / 10).toLocaleString();

export function Risk({ risk }: { risk: WithdrawalRisk }) {
  const facts = [
    ['Days with votes', risk.voteDays.toLocaleString()],
    ['Votes', risk.votes.toLocaleString()],
    ['Verified for good', risk.verified.toLocaleString()],
    ['Excluded', risk.excluded.toLocaleString()],
    ['Votes a minute', rounded(risk.votesPerMinute)],
    ['Same network', plural(risk.sameNetwork, 'other wallet')],
    ['Equal votes', `${Math.round(risk.equalVotes * 100)}%`],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      <VoterStateBadge state={risk.standing} />
      <FactList facts={facts} />
    </div>
  );
}
