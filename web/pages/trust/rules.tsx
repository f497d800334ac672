import type { StandingRules } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Fold } from '../../ui/fold.tsx';

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

const rows = ({
  minMist,
  minDays,
  neededDays,
  windowDays,
  excusedDays,
  voterDays,
  decisionMinDays,
  rhythm,
}: StandingRules) =>
  [
    ['SUI that a wallet holds at both checks of a day', formatSui(parseMist(minMist))],
    ['Age of a wallet since its first sign-in', plural(minDays, 'day')],
    [
      'Days with enough SUI while a vote is young (an unchecked day has none)',
      `${neededDays} of the last ${windowDays}`,
    ],
    ['Of these, days excused because Sui gave no answer', `up to ${excusedDays}`],
    ['A vote is final, and its wallet is no longer checked', `after ${plural(voterDays, 'day')}`],
    [
      'Days with enough SUI since the vote that verify it for good',
      `more than half of those checked, at least ${decisionMinDays}`,
    ],
    ['Votes of one day before their order is compared', String(rhythm.minVotes)],
    ['Matching votes that make two wallets look alike', percent(rhythm.orderShare)],
    ['Other wallets on the network that must look alike', String(rhythm.minAlike)],
    ['Greatest likelihood of that by chance', `1 in ${Math.round(1 / rhythm.maxChance).toLocaleString()}`],
    ['Matching votes that another wallet cast first; below, a wallet keeps its votes', percent(rhythm.leadShare)],
    ['Votes of one day before their pace is compared', String(rhythm.minPacedVotes)],
    ['Pauses that differ by less than this count as clockwork', percent(rhythm.maxPaceSpread)],
  ] as const;

export function Rules({ rules }: { rules: StandingRules }) {
  return (
    <Fold id="rules" title="The rules and their numbers">
      <table className="w-full text-start">
        <caption className="pb-3 text-start text-muted">
          A voter's network is kept for {plural(rules.voterDays, 'day')} as a hash with a new salt each day. No address
          is stored.
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Number</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows(rules).map(([what, value]) => (
            <tr key={what}>
              <th scope="row" className="py-2.5 pe-4 font-normal text-muted">
                {what}
              </th>
              <td className="py-2.5 text-end font-semibold">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}
