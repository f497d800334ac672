import type { Trust } from '#shared/contract/standing.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Facts, ShareBar } from '../../ui/facts.tsx';
import { DayChart } from './day-chart.tsx';
import { FILLS, VOTE_KINDS } from './vote-kinds.ts';

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 100) / whole));

const levelsOf = ({ verified, waiting, noStanding, rhythm, moderator }: Trust) => [
  { label: 'Verified', text: 'The wallet held enough SUI on most checks', count: verified, fill: FILLS.verified },
  {
    label: 'Not verified yet',
    text: 'The wallet is too new, or holds too little',
    count: waiting,
    fill: FILLS.waiting,
  },
  {
    label: 'Excluded',
    text: 'Held too little, looks automated, or excluded by a moderator',
    count: noStanding + rhythm + moderator,
    fill: FILLS.noStanding,
  },
];

function Count({ count, of }: { count: number; of: number }) {
  return (
    <>
      {count.toLocaleString()} <span className="font-sans text-sm font-normal text-muted">{percentOf(count, of)}%</span>
    </>
  );
}

function Levels({ trust }: { trust: Trust }) {
  const levels = levelsOf(trust);
  const sum = levels.reduce((all, { count }) => all + count, 0);
  return (
    <>
      <ShareBar parts={levels} />
      <Facts
        facts={levels.map(({ text, count, ...level }) => ({
          ...level,
          value: <Count count={count} of={sum} />,
          note: text,
        }))}
        className="sm:grid-cols-3"
      />
    </>
  );
}

function Reasons({ trust }: { trust: Trust }) {
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link underline underline-offset-4">
        By reason and by day
      </summary>
      <div className="grid gap-5 pt-2">
        <Facts
          facts={VOTE_KINDS.map(({ key, text, ...kind }) => ({
            ...kind,
            value: <Count count={trust[key]} of={trust.votes} />,
            note: text,
          }))}
          className="sm:grid-cols-2"
        />
        <DayChart days={trust.days} />
      </div>
    </details>
  );
}

export function Today({ trust }: { trust: Trust }) {
  const { day } = trust;
  return (
    <Card aria-labelledby="today" className="grid content-start gap-3">
      <CardTitle
        id="today"
        aside={
          day === null ? null : (
            <a href="/api/trust" className="text-sm text-link underline underline-offset-4">
              As JSON
            </a>
          )
        }
      >
        Votes{day === null ? '' : ` ${asOfText(day)}`}
      </CardTitle>
      {day === null ? (
        <p className="text-muted">First figures tomorrow: votes are counted once a day, after midnight UTC.</p>
      ) : (
        <>
          <Levels trust={trust} />
          <Reasons trust={trust} />
        </>
      )}
    </Card>
  );
}
