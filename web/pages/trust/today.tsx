import { ChartColumn } from 'lucide-react';
import type { Trust } from '#shared/contract/standing.ts';
import { plural } from '#shared/plural.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';
import { DayChart } from './day-chart.tsx';
import { VOTE_KINDS } from './vote-kinds.ts';

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 100) / whole));

/** Shares of all votes as one bar; the list below it says the same in numbers. */
function KindBar({ trust }: { trust: Trust }) {
  return (
    <div aria-hidden className="flex h-6 gap-0.5 overflow-hidden rounded-full bg-raised">
      {VOTE_KINDS.filter(({ key }) => trust[key] > 0).map(({ key, fill }) => (
        <span key={key} className={fill} style={{ flexGrow: trust[key], flexBasis: 4 }} />
      ))}
    </div>
  );
}

function Kinds({ trust }: { trust: Trust }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {VOTE_KINDS.map(({ key, label, text, Icon, fill }) => (
        <div key={key} className="grid content-start gap-1 rounded-lg border border-line p-4">
          <dt className="flex items-center gap-2 font-semibold">
            <span aria-hidden className={cn('size-4 shrink-0 rounded border border-line', fill)} />
            {label}
            <Icon aria-hidden size={18} className="ml-auto shrink-0 text-faint" />
          </dt>
          <dd className="display text-3xl">{trust[key].toLocaleString()}</dd>
          <dd className="text-sm text-muted">
            {percentOf(trust[key], trust.votes)}% of all votes. {text}.
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** How many votes are verified, and how many are set aside, by reason and day (R39). */
export function Today({ trust }: { trust: Trust }) {
  const { votes, countedAt, days } = trust;
  return (
    <Card aria-labelledby="today" className="grid gap-5">
      <CardTitle id="today" icon={<ChartColumn aria-hidden size={20} className="text-link" />}>
        Today's figures
      </CardTitle>
      {countedAt === null ? (
        <p className="text-muted">
          The votes have not been checked yet. A job does so every few minutes; the first result appears here.
        </p>
      ) : (
        <>
          <p className="text-lg">
            {plural(votes, 'vote')} in all, {trust.verified.toLocaleString()} of them verified.
          </p>
          <KindBar trust={trust} />
          <Kinds trust={trust} />
          <DayChart days={days} />
          <p className="text-sm text-faint">
            Counted <RelativeTime iso={countedAt} />. Machine-readable at{' '}
            <a href="/api/trust" className="text-link underline underline-offset-4">
              /api/trust
            </a>
            .
          </p>
        </>
      )}
    </Card>
  );
}
