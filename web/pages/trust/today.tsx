import type { Trust } from '#shared/contract/standing.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';
import { DayChart } from './day-chart.tsx';
import { FILLS, VOTE_KINDS } from './vote-kinds.ts';

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 100) / whole));

interface Level {
  label: string;
  text: string;
  votes: number;
  fill: string;
}

function levelsOf({ verified, waiting, noStanding, rhythm, moderator }: Trust): Level[] {
  return [
    { label: 'Verified', text: 'the wallet held enough SUI on most checks', votes: verified, fill: FILLS.verified },
    {
      label: 'Not verified yet',
      text: 'the wallet is too new, or holds too little',
      votes: waiting,
      fill: FILLS.waiting,
    },
    {
      label: 'Excluded',
      text: 'held too little, looks automated, or excluded by a moderator',
      votes: noStanding + rhythm + moderator,
      fill: FILLS.noStanding,
    },
  ];
}

function Levels({ trust }: { trust: Trust }) {
  const levels = levelsOf(trust);
  const sum = levels.reduce((all, { votes }) => all + votes, 0);
  return (
    <>
      <div aria-hidden className="flex h-6 gap-0.5 overflow-hidden rounded-full bg-raised">
        {levels
          .filter(({ votes }) => votes > 0)
          .map(({ label, votes, fill }) => (
            <span key={label} className={fill} style={{ flexGrow: votes, flexBasis: 4 }} />
          ))}
      </div>
      <dl className="grid gap-2">
        {levels.map(({ label, text, votes, fill }) => (
          <div key={label} className="flex items-baseline gap-2">
            <span aria-hidden className={cn('mt-1.5 size-3.5 shrink-0 self-start rounded border border-line', fill)} />
            <dt className="min-w-0">
              <b>{label}</b> <span className="text-sm text-muted">{text}</span>
            </dt>
            <dd className="ms-auto shrink-0 font-semibold">
              {votes.toLocaleString()} <span className="text-sm font-normal text-muted">{percentOf(votes, sum)}%</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Kinds({ trust }: { trust: Trust }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {VOTE_KINDS.map(({ key, label, text, fill }) => (
        <div key={key} className="grid content-start gap-1">
          <dt className="flex items-center gap-2 font-semibold">
            <span aria-hidden className={cn('size-4 shrink-0 rounded border border-line', fill)} />
            {label}
          </dt>
          <dd className="display text-2xl">{trust[key].toLocaleString()}</dd>
          <dd className="text-sm text-muted">
            {percentOf(trust[key], trust.votes)}% of all votes. {text}.
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Reasons({ trust }: { trust: Trust }) {
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link underline underline-offset-4">
        By reason and by day
      </summary>
      <div className="grid gap-5 pt-2">
        <Kinds trust={trust} />
        <DayChart days={trust.days} />
      </div>
    </details>
  );
}

export function Today({ trust }: { trust: Trust }) {
  const { day } = trust;
  return (
    <Card aria-labelledby="today" className="grid gap-3">
      <CardTitle id="today">Votes{day === null ? '' : ` ${asOfText(day)}`}</CardTitle>
      {day === null ? (
        <p className="text-muted">First figures tomorrow: votes are counted once a day, after midnight UTC.</p>
      ) : (
        <>
          <Levels trust={trust} />
          <Reasons trust={trust} />
          <p className="text-sm text-faint">
            The same{' '}
            <a href="/api/trust" className="text-link underline underline-offset-4">
              as JSON
            </a>
            .
          </p>
        </>
      )}
    </Card>
  );
}
