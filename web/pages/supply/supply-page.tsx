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
import { Facts, HATCHED, ShareBar } from '../../ui/facts.tsx';
import { Reserves } from './reserves.tsx';

const DESTROYERS = Object.values(BURNED_BY)
  .filter((by) => by !== null)
  .join(', ');

const partsOf = (supply: Supply) => [
  { label: 'In circulation', count: supply.circulating, note: 'In the balances of voters', fill: 'bg-gold' },
  { label: 'Held', count: supply.held, note: 'Requested, on the way to a wallet', fill: 'bg-gold/40' },
  { label: 'Paid', count: supply.paid, note: 'Sent to wallets', fill: 'bg-text' },
  { label: 'Burned', count: supply.burned, note: `Destroyed by ${DESTROYERS}`, fill: HATCHED },
];

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

function Issued({ supply }: { supply: Supply }) {
  const { issued, day, granted } = supply;
  const parts = partsOf(supply);
  return (
    <Card aria-labelledby="issued" className="grid content-start gap-4">
      <CardTitle id="issued">Snaps issued</CardTitle>
      <div className="-mt-4 grid gap-1">
        <p className="display text-4xl md:text-6xl">{issued.toLocaleString()}</p>
        <p className="text-sm text-muted">
          {day === null
            ? 'The first day ends at midnight UTC; its sums follow minutes later.'
            : `As of ${dayText(day)}, the last closed day.`}
          {granted > 0 ? ` ${granted.toLocaleString()} of them were granted by the site, not earned.` : ''}
        </p>
      </div>
      <ShareBar parts={parts} />
      <Facts
        facts={parts.map(({ count, ...part }) => ({ ...part, value: count.toLocaleString() }))}
        className="sm:grid-cols-2 xl:grid-cols-4 xl:gap-x-4"
      />
      <SnapWorth className="text-muted" />
      <BooksCheck supply={supply} />
      <Restored supply={supply} />
    </Card>
  );
}

function Owed({ supply }: { supply: Supply }) {
  return (
    <p className="text-sm text-faint">
      Owed: {owedOf(supply).toLocaleString()} Snaps, to {plural(supply.holders, 'voter')}. From{' '}
      {supply.entries.toLocaleString()} entries of the append-only ledger.{' '}
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
  );
}

export function SupplyPage() {
  return (
    <div className="page grid gap-6 py-4 md:py-6">
      <header className="grid gap-1">
        <h1 className="text-2xl md:text-4xl">Snaps supply</h1>
        <p className="text-muted md:text-lg">
          Votes issue Snaps, reviews burn some, withdrawals pay some out. Here is where all of them are.
        </p>
      </header>
      <Read of={queries.supply()} skeleton="h-96 w-full rounded-xl">
        {(supply) => (
          <div className="grid gap-x-12 gap-y-6 lg:grid-cols-2">
            <Issued supply={supply} />
            <div className="grid content-start gap-6">
              {supply.reserves === undefined ? null : <Reserves reserves={supply.reserves} owed={owedOf(supply)} />}
              {supply.waits ? <PayoutTimes waits={supply.waits} /> : null}
              <Owed supply={supply} />
            </div>
          </div>
        )}
      </Read>
    </div>
  );
}
