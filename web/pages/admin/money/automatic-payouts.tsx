import { useQuery } from '@tanstack/react-query';
import type { AutomaticPayouts as Automatic } from '#shared/contract/admin.ts';
import { parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { type Fact, FactLine } from '../../../ui/facts.tsx';
import { adminQueries } from '../admin-queries.ts';

const ENOUGH_MIST = 50_000_000n;

const total = ({ withdrawals, snaps }: Automatic['approvedToday']): string =>
  `${plural(withdrawals, 'withdrawal')}, ${plural(snaps, 'Snap')}`;

const NO_KEY = { heldSnaps: null, waitingSnaps: null, gasMist: null };

function warningsOf({ maxSnaps, areBooksFine, key }: Automatic): string[] {
  const { heldSnaps, waitingSnaps, gasMist } = key ?? NO_KEY;
  const warnings: Array<[isShown: boolean, text: string]> = [
    [
      maxSnaps !== null && !areBooksFine,
      'The rule waits: the last check of the books failed, or is more than a day old.',
    ],
    [heldSnaps !== null && heldSnaps < (waitingSnaps ?? 0), 'The wallet holds too few Snaps for what waits.'],
    [gasMist !== null && parseMist(gasMist) < ENOUGH_MIST, 'The wallet is running out of SUI for gas.'],
    [key !== null && heldSnaps === null, 'The Sui node does not respond.'],
  ];
  return warnings.flatMap(([isShown, text]) => (isShown ? [text] : []));
}

function Facts({ data: { maxSnaps, approvedToday, key } }: { data: Automatic }) {
  const facts: Fact[] = [];
  if (maxSnaps !== null) {
    facts.push({ label: 'Approves per wallet in 30 days', value: `up to ${plural(maxSnaps, 'Snap')}` });
    facts.push({ label: 'Approved today', value: total(approvedToday) });
  }
  if (key !== null) {
    facts.push({ label: 'Pays per day', value: `up to ${plural(key.dailyMaxSnaps, 'Snap')}` });
    facts.push({ label: 'Paid today', value: total(key.paidToday) });
    if (key.waitingSnaps !== null) facts.push({ label: 'Waiting for it', value: plural(key.waitingSnaps, 'Snap') });
  }
  return <FactLine facts={facts} />;
}

export function AutomaticPayouts() {
  const { data } = useQuery(adminQueries.automaticPayouts());
  if (!data || (data.maxSnaps === null && data.key === null)) return null;
  return (
    <Card aria-labelledby="automatic" className="grid grid-cols-1 gap-4">
      <CardTitle
        id="automatic"
        aside={<Badge tone={data.paused ? 'accent' : 'neutral'}>{data.paused ? 'Paused' : 'Active'}</Badge>}
      >
        Automatic payouts
      </CardTitle>
      {data.key ? (
        <p className="text-muted">
          Approved withdrawals of verified wallets are paid from{' '}
          <span className="font-mono text-text" title={data.key.walletAddress}>
            {shortenAddress(data.key.walletAddress)}
          </span>
          . Pausing withdrawals stops this at once.
        </p>
      ) : (
        <p className="text-muted">What the rule approves waits below until a person pays it.</p>
      )}
      <Facts data={data} />
      {warningsOf(data).map((text) => (
        <p key={text} className="text-sm text-text">
          {text}
        </p>
      ))}
    </Card>
  );
}
