import { useMemo } from 'react';
import type { ProjectDay } from '#shared/contract/trends.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { DayBars, type BarSeries } from '../../components/charts/day-bars.tsx';
import { ShareChart } from '../../components/charts/share-chart.tsx';
import { Read } from '../../components/states/read.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { queries } from '../../lib/queries.ts';
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

export function ProjectTrend({ project: { id, figuresOn } }: { project: Pick<ProjectView, 'id' | 'figuresOn'> }) {
  return (
    <Card aria-labelledby="trend">
      <CardTitle id="trend" aside={<p className="text-sm text-muted">Votes by day, {asOfText(figuresOn)}</p>}>
        Over time
      </CardTitle>
      <Read of={queries.trend(id)} skeleton="h-72 w-full rounded-lg">
        {({ days }) => <Charts days={days} />}
      </Read>
    </Card>
  );
}
