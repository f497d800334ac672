import { useQuery } from '@tanstack/react-query';
import { BookCheck } from 'lucide-react';
import type { BookProblem, PayoutBook as Book } from '#shared/contract/payouts.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { type Fact, FactLine } from '../../../ui/facts.tsx';
import { Act } from '../act.tsx';
import { adminQueries } from '../admin-queries.ts';
import { Address } from '../row.tsx';

const PROBLEMS: Record<BookProblem, string> = {
  none: 'The site has no Book yet, so nothing can be paid. Run `npm run coin -- book`, and set SNAPS_BOOK.',
  unread: 'The chain has not confirmed the Book of SNAPS_BOOK yet.',
  no_book: 'The chain has no Book with the id in SNAPS_BOOK.',
  other_coin: 'The Book in SNAPS_BOOK is of another coin, or SNAPS_DECIMALS has changed.',
  other_book: 'SNAPS_BOOK names another Book than the one of the database.',
  unknown_key: 'ACCOUNT_KEY is not the key of earlier deleted accounts, whose totals cannot be found.',
};

function Facts({ book: { chain, paidSnaps, approvedSnaps, wallets } }: { book: Book }) {
  const facts: Fact[] = [
    { label: 'Paid, by the Book', value: chain ? plural(chain.paidSnaps, 'Snap') : '?' },
    { label: 'Paid, by our books', value: plural(paidSnaps, 'Snap') },
    { label: 'Approved, not paid', value: plural(approvedSnaps, 'Snap') },
    { label: 'Wallets in the Book', value: chain ? String(chain.wallets) : '?' },
  ];
  return (
    <>
      <FactLine facts={facts} />
      <ul aria-label="Paying wallets" className="grid grid-cols-1 gap-1 text-sm">
        {wallets.map(({ address, heldSnaps, gasMist }) => (
          <li key={address} className="flex flex-wrap gap-x-3">
            <Address of={address} />
            <span>{heldSnaps === null ? '? Snaps' : plural(heldSnaps, 'Snap')}</span>
            <span>{gasMist === null ? '?' : formatSui(parseMist(gasMist))} SUI</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function PayoutBook() {
  const { data } = useQuery(adminQueries.payoutBook());
  if (!data?.hasCoin) return null;
  const { problem, known, restoredAt } = data;
  return (
    <Card aria-labelledby="payout-book" className="grid grid-cols-1 gap-4">
      <CardTitle
        id="payout-book"
        aside={<Badge tone={problem ? 'accent' : 'neutral'}>{problem ? 'Nothing is paid' : 'Ready'}</Badge>}
      >
        The Book
      </CardTitle>
      {problem ? <p className="text-text">{PROBLEMS[problem]}</p> : null}
      <Act
        when={problem === 'other_book'}
        needs="beginBook"
        className="justify-self-start"
        word="Begin this Book"
        label="Begin the Book of the settings"
        Icon={BookCheck}
        ask={{
          title: 'End the Book of the database',
          description: `Payouts went through ${known ?? 'none'}. What it has paid is not known to the new one: begin it only where the former one is finished.`,
          action: 'Begin',
        }}
        call={(headers, reason) => api.beginBook({ body: { reason }, headers })}
        done={{ title: 'Book begun', description: 'Open withdrawals have their marks in it.' }}
        failed="Failed to begin the Book"
      />
      {problem === 'none' ? null : <Facts book={data} />}
      {restoredAt ? (
        <p className="text-sm text-muted">
          The database was restored <RelativeTime iso={restoredAt} />. Wallets that were paid since then are paid the
          difference only.
        </p>
      ) : null}
    </Card>
  );
}
