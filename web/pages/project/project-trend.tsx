import { useMemo, useRef } from 'react';
import type { ProjectDay } from '#shared/contract/trends.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { DayBars, type BarSeries } from '../../components/charts/day-bars.tsx';
import { ShareChart } from '../../components/charts/share-chart.tsx';
import { Read } from '../../components/states/read.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { queries } from '../../lib/queries.ts';
import { useIsNear } from '../../lib/use-is-near.ts';
import type { ProjectView } from './project-view.ts';

const VOTES: BarSeries[] = [
  { key: 'votes', label: 'Votes', color: 'accent' },
  { key: 'turnedBullish', label: 'Turned bullish', color: 'bull' },
  { key: 'turnedBearish', label: 'Turned bearish', color: 'bear' },
];

const countsOf = ({ votes, turnedBullish, turnedBearish }: Omit<ProjectDay, 'day'>) => ({
  votes,
  turnedBullish,
  turnedBearish,
});

function Charts({ days }: { days: readonly ProjectDay[] }) {
  const counts = useMemo(() => days.map(({ day, ...counted }) => ({ day, counts: countsOf(counted) })), [days]);
  if (days.length === 0) return null;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <ShareChart days={days} />
      <DayBars
        title="Votes and changes by day"
        noun="vote or change"
        nouns="votes and changes"
        days={counts}
        series={VOTES}
        empty="No votes yet."
      />
    </div>
  );
}

const PLACE = 'h-72 w-full rounded-lg';

export function ProjectTrend({ project: { id, figuresOn } }: { project: Pick<ProjectView, 'id' | 'figuresOn'> }) {
  const placeRef = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(placeRef);
  return (
    <Card aria-labelledby="trend">
      <CardTitle id="trend" aside={<p className="text-sm text-muted">Votes by day, {asOfText(figuresOn)}</p>}>
        Over time
      </CardTitle>
      <div ref={placeRef}>
        {isNear ? (
          <Read of={queries.trend(id)} skeleton={PLACE}>
            {({ days }) => <Charts days={days} />}
          </Read>
        ) : (
          <div className={PLACE} />
        )}
      </div>
    </Card>
  );
}
