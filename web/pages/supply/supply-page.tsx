import { BadgeCheck, History, TriangleAlert } from 'lucide-react';
import type { Supply, Waits } from '#shared/contract/supply.ts';
import { dayText } from '#shared/text/day-text.ts';
import { BURNED_BY } from '#shared/people/ledger-kinds.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Read } from '../../components/states/read.tsx';
import { SnapWorth } from '../../components/values/snap-worth.tsx';
import { openText, waitsText } from '../../components/values/wait-text.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { queries } from '../../lib/queries.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';
import { Reserves } from './reserves.tsx';

interface Part {
  key: 'circulating' | 'held' | 'paid' | 'burned';
  label: string;
  text: string;
  bar: string;
}

const DESTROYERS = Object.values(BURNED_BY)
  .filter((by) => by !== null)
  .join(', ');

const PARTS: readonly Part[] = [
  { key: 'circulating', label: 'In circulation', text: 'In the balances of voters', bar: 'bg-gold' },
  { key: 'held', label: 'Held', text: 'Requested, on the way to a wallet', bar: 'bg-line-strong' },
  { key: 'paid', label: 'Paid', text: 'Sent to wallets', bar: 'bg-text' },
  { key: 'burned', label: 'Burned', text: `Destroyed by ${DESTROYERS}`, bar: 'bg-faint' },
];

function ShareBar({ supply }: { supply: Supply }) {
  return (
    <div aria-hidden className="flex h-5 gap-0.5 overflow-hidden rounded-full bg-raised">
      {PARTS.filter(({ key }) => supply[key] > 0).map(({ key, bar }) => (
        <span key={key} className={bar} style={{ flexGrow: supply[key], flexBasis: 4 }} />
      ))}
    </div>
  );
}

/** Whether the balances that voters see are what the ledger says, voter by voter: two sets of rows that could differ. */
function BooksCheck({ supply: { balances, circulating, differing } }: { supply: Supply }) {
  const equal = differing === 0 && balances === circulating;
  const Icon = equal ? BadgeCheck : TriangleAlert;
  return (
    <p className="flex items-start gap-2 text-muted">
      <Icon aria-hidden size={20} className="mt-0.5 shrink-0" />
      {equal
        ? `Checked: the balances of all voters add up to ${balances.toLocaleString()} Snaps, and each one equals the sum of its ledger entries.`
        : `The totals do not match: balances hold ${balances.toLocaleString()} Snaps, the ledger says ${circulating.toLocaleString()}; ${plural(differing, 'voter differs', 'voters differ')}.`}
    </p>
  );
}

/** By the public record and the Books: votes that a restore took out of the books are owed, payouts that it took out are not (R42). */
const owedOf = ({ liabilities, lost, ahead, reserves }: Supply): number =>
  liabilities + lost - ahead - Math.max(0, reserves?.reading?.ahead ?? 0);

function Restored({ supply: { lost, ahead } }: { supply: Supply }) {
  const lines = [
    lost > 0 ? `${plural(lost, 'Snap')} of votes in the public record are missing here, and owed as well` : null,
    ahead > 0 ? `${plural(ahead, 'Snap')} paid by hand, by the public record, are not counted as paid here` : null,
  ].filter((line) => line !== null);
  if (lines.length === 0) return null;
  return (
    <p className="flex items-start gap-2 text-muted">
      <History aria-hidden size={20} className="mt-0.5 shrink-0" />
      Since a restored backup: {lines.join('; ')}.
    </p>
  );
}

function PayoutTimes({ waits }: { waits: Waits }) {
  const open = openText(waits);
  return (
    <Card aria-labelledby="payouts" className="grid gap-2">
      <CardTitle id="payouts">Time to payout</CardTitle>
      <p>{waitsText(waits)}</p>
      {open === null ? null : <p className="text-muted">{open}</p>}
    </Card>
  );
}

function Figures({ supply }: { supply: Supply }) {
  return (
    <>
      <Card aria-labelledby="issued" className="grid grid-cols-1 gap-5">
        <CardTitle id="issued">Snaps issued</CardTitle>
        <p className="display text-4xl md:text-6xl">{supply.issued.toLocaleString()}</p>
        <p className="text-muted">
          {supply.day === null
            ? 'The first day ends at midnight UTC; its sums follow minutes later.'
            : `As of ${dayText(supply.day)}, the last closed day.`}
        </p>
        {supply.granted > 0 ? (
          <p className="text-muted">{supply.granted.toLocaleString()} of them were granted by the site, not earned.</p>
        ) : null}
        <ShareBar supply={supply} />
        <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {PARTS.map(({ key, label, text, bar }) => (
            <div key={key} className="grid content-start gap-1">
              <dt className="flex items-center gap-2 font-semibold">
                <span className={cn('size-3 rounded-full', bar)} />
                {label}
              </dt>
              <dd className="display text-2xl">{supply[key].toLocaleString()}</dd>
              <dd className="text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <SnapWorth className="text-muted" />
        <BooksCheck supply={supply} />
        <Restored supply={supply} />
      </Card>
      {supply.reserves === undefined ? null : <Reserves reserves={supply.reserves} owed={owedOf(supply)} />}
      {supply.waits ? <PayoutTimes waits={supply.waits} /> : null}
      <p className="text-sm text-faint">
        Owed: {owedOf(supply).toLocaleString()} Snaps, to {supply.holders.toLocaleString()}{' '}
        {supply.holders === 1 ? 'voter' : 'voters'}. From {supply.entries.toLocaleString()} entries of the append-only
        ledger.{' '}
        {supply.checkedAt === null ? null : (
          <>
            Each balance was last checked <RelativeTime iso={supply.checkedAt} />.{' '}
          </>
        )}
        Machine-readable at{' '}
        <a href="/api/supply" className="text-link underline underline-offset-4">
          /api/supply
        </a>
        .
      </p>
    </>
  );
}

export function SupplyPage() {
  return (
    <div className="page grid grid-cols-1 gap-6 py-8 md:py-12">
      <header className="grid gap-2">
        <h1 className="text-4xl">Snaps supply</h1>
        <p className="max-w-prose text-lg text-muted">
          Every vote issues Snaps, every review and sentence burns some, every withdrawal pays some out. Here is where
          all of them are.
        </p>
      </header>
      <Read of={queries.supply()} skeleton="h-96 w-full rounded-xl">
        {(supply) => <Figures supply={supply} />}
      </Read>
    </div>
  );
}
