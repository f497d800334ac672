import { Ruler } from 'lucide-react';
import type { StandingRules } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** Every threshold as a row: what, and how much. */
const rows = ({ minMist, minDays, neededDays, windowDays, voterDays, decisionMinDays, rhythm }: StandingRules) =>
  [
    ['SUI that a wallet holds in both readings of a day', formatSui(parseMist(minMist))],
    ['Age of a wallet since its first sign-in', plural(minDays, 'day')],
    ['Days with standing while a vote is young', `${neededDays} of the last ${plural(windowDays, 'day')} read`],
    ['When a vote is decided for good; its wallet is read until then', `after ${plural(voterDays, 'day')}`],
    [
      'Days with standing since the vote that verify it for good',
      `more than half of those read, at least ${decisionMinDays}`,
    ],
    ['Votes of one day before their order is compared', String(rhythm.minVotes)],
    ['Share of votes in the same order and direction that counts as alike', percent(rhythm.orderShare)],
    ['Other wallets of the network that have to be alike', String(rhythm.minAlike)],
    ['How likely that may be by chance, at most', `1 in ${Math.round(1 / rhythm.maxChance).toLocaleString()}`],
    ['Share of its order that another wallet cast first, or a wallet keeps its votes', percent(rhythm.leadShare)],
    ['Votes of one day before their pace is looked at', String(rhythm.minPacedVotes)],
    ['Pauses that differ by less than this count as clockwork', percent(rhythm.maxPaceSpread)],
  ] as const;

/** The thresholds of standing and of the rhythm rule (R38, R39). */
export function Rules({ rules }: { rules: StandingRules }) {
  return (
    <Card aria-labelledby="rules">
      <CardTitle id="rules" icon={<Ruler aria-hidden size={20} className="text-link" />}>
        The rules and their numbers
      </CardTitle>
      <table className="w-full text-left">
        <caption className="pb-3 text-left text-muted">
          The network of a voter is kept as a hash with a salt of the day, for {plural(rules.voterDays, 'day')}; no
          address is stored.
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
              <th scope="row" className="py-2.5 pr-4 font-normal text-muted">
                {what}
              </th>
              <td className="py-2.5 text-right font-semibold">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
