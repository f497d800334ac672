import { Copy } from 'lucide-react';
import type { Reserves as Found } from '#shared/contract/supply.ts';
import { plural } from '#shared/numbers/plural.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

type Reading = NonNullable<Found['reading']>;

const ROLES = { payout: 'Payout wallet', admin: 'Admin wallet' } as const;

const MINTERS: Record<Reading['minter']['state'], string> = {
  address: 'The holder of its TreasuryCap can mint more:',
  shared: 'Anyone can mint more: its TreasuryCap is shared.',
  burnt: 'Nobody can mint more: its TreasuryCap was burnt.',
  wrapped: 'The chain does not show who can mint: its TreasuryCap is inside another object, or was destroyed.',
  none: 'The node knows no TreasuryCap of this coin.',
};

/** Rounded down: all is covered only at 100%. */
export const coveredPercent = (held: number, owed: number): number =>
  owed <= held ? 100 : Math.floor((held * 100) / owed);

interface EntryProps {
  term: string;
  /** An address, an object, or a coin type: shown short, copied whole. */
  id: string | null;
}

function Entry({ term, id }: EntryProps) {
  if (id === null) return null;
  const [address = '', ...names] = id.split('::');
  const shown = [shortenAddress(address), ...names].join('::');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line">
      <dt>{term}</dt>
      <dd className="min-w-0">
        <button
          type="button"
          title={id}
          aria-label={`Copy ${shown}`}
          onClick={() => void copyText(id)}
          className="inline-flex min-h-11 items-center gap-2 text-start font-mono text-sm text-link underline-offset-4 hover:underline"
        >
          <span className="min-w-0 wrap-anywhere">{shown}</span>
          <Copy aria-hidden size={14} className="shrink-0" />
        </button>
      </dd>
    </div>
  );
}

/** Payouts by the chain, and by how much the books of the site differ (R42). */
function Paid({ reading: { books, ahead, isRestored } }: { reading: Reading }) {
  const paid = books.reduce((sum, one) => sum + (one.paid ?? 0), 0);
  if (books.length === 0) return null;
  const difference = isRestored
    ? `before a restored backup, whose books lack them: the next withdrawals of these wallets use them up`
    : 'moments ago, and the books of the site follow';
  return (
    <p>
      By the chain, {plural(paid, 'Snap')} were paid.{' '}
      {ahead !== null && ahead > 0 ? (
        <strong>
          {ahead.toLocaleString()} of them {difference}.
        </strong>
      ) : null}
      {ahead !== null && ahead < 0 ? (
        <strong className="text-text">The books of the site have {plural(-ahead, 'Snap')} more as paid.</strong>
      ) : null}
    </p>
  );
}

function Held({ reading, owed }: { reading: Reading; owed: number }) {
  const { wallets, held, minter, books, asOf } = reading;
  return (
    <>
      <p>
        <strong className="display text-2xl">{coveredPercent(held, owed)}%</strong> of what could be withdrawn today is
        covered: {plural(owed, 'Snap')} owed, {plural(held, 'Snap')} held by the paying wallets.
      </p>
      <Paid reading={reading} />
      <dl>
        {wallets.map(({ role, address, held: ofWallet }) => (
          <Entry key={address} term={`${ROLES[role]}: ${plural(ofWallet, 'Snap')}`} id={address} />
        ))}
        <Entry term={MINTERS[minter.state]} id={minter.address} />
        <Entry term="Its TreasuryCap" id={minter.treasuryCap} />
        {books.map(({ id, paid }) => (
          <Entry key={id} term={`Book: ${paid === null ? '?' : plural(paid, 'Snap')} paid`} id={id} />
        ))}
      </dl>
      {minter.address === null ? <p className="font-semibold">{MINTERS[minter.state]}</p> : null}
      <p className="text-sm text-faint">
        Read from the chain <RelativeTime iso={asOf} />.
      </p>
    </>
  );
}

/** Owed Snaps beside what the paying wallets hold on chain (R84). */
export function Reserves({ reserves, owed }: { reserves: Found | null; owed: number }) {
  return (
    <Card aria-labelledby="reserves" className="grid content-start gap-3">
      <CardTitle id="reserves">Reserves</CardTitle>
      {reserves === null ? <p>This site pays by hand: no coin on chain stands for its Snaps yet.</p> : null}
      {reserves?.reading ? <Held reading={reserves.reading} owed={owed} /> : null}
      {reserves && !reserves.reading ? (
        <p>
          <strong className="display text-2xl">?</strong> The chain cannot be read right now.
        </p>
      ) : null}
      {reserves ? (
        <dl>
          <Entry term="Coin" id={reserves.coinType} />
        </dl>
      ) : null}
    </Card>
  );
}
