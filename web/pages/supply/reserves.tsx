import type { Reserves as Found } from '#shared/contract/supply.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';
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

function Entry({ term, address }: { term: string; address: string | null }) {
  if (address === null) return null;
  return (
    <div className="grid gap-0.5">
      <dt className="font-semibold">{term}</dt>
      <dd>
        <code className="font-mono text-sm wrap-anywhere text-muted">{address}</code>
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
      <dl className="grid gap-3">
        {wallets.map(({ role, address, held: ofWallet }) => (
          <Entry key={address} term={`${ROLES[role]}: ${plural(ofWallet, 'Snap')}`} address={address} />
        ))}
        <Entry term={MINTERS[minter.state]} address={minter.address} />
        <Entry term="Its TreasuryCap" address={minter.treasuryCap} />
        {books.map(({ id, paid }) => (
          <Entry key={id} term={`Book: ${paid === null ? '?' : plural(paid, 'Snap')} paid`} address={id} />
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
    <Card aria-labelledby="reserves" className="grid grid-cols-1 gap-3">
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
          <Entry term="Coin" address={reserves.coinType} />
        </dl>
      ) : null}
    </Card>
  );
}
