import { useMemo } from 'react';
import { type DayFigures, totalsOf } from '#shared/figures/insights.ts';
import { plural } from '#shared/numbers/plural.ts';
import { DayBars, type BarSeries } from '../../components/charts/day-bars.tsx';
import { ShareChart } from '../../components/charts/share-chart.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { SOURCE_SERIES } from './sources.ts';

const VOTES: readonly BarSeries[] = [
  { key: 'newVotes', label: 'New voters', color: 'accent' },
  { key: 'returning', label: 'Returning voters', color: 'line-strong' },
];
const ACTIONS: readonly BarSeries[] = [
  { key: 'clicks', label: 'Link clicks', color: 'accent' },
  { key: 'shares', label: 'Shares', color: 'line-strong' },
];

function whoVotes(days: readonly DayFigures[]): string {
  const sum = (count: (day: DayFigures) => number) => days.reduce((total, day) => total + count(day), 0);
  const [first, all] = [sum(({ newVotes }) => newVotes), sum(({ votes }) => votes)];
  return `${plural(first, 'vote')} by new voters, ${(all - first).toLocaleString()} by returning voters.`;
}

export function Charts({ days }: { days: readonly DayFigures[] }) {
  const until = days.at(-1)?.day ?? '';
  const views = useMemo(() => days.map(({ day, views: counts }) => ({ day, counts })), [days]);
  const acts = useMemo(
    () =>
      days.map(({ day, votes, newVotes, clicks, shares }) => ({
        day,
        counts: { newVotes, returning: votes - newVotes, clicks, shares },
      })),
    [days],
  );
  const { views: viewed, votes, clicks, shares } = totalsOf(days);
  const bars = { days: acts, until, empty: '' };
  if (viewed + votes + clicks + shares === 0) return null;
  return (
    <Card aria-labelledby="by-day">
      <CardTitle id="by-day">Day by day</CardTitle>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        {viewed === 0 ? null : (
          <DayBars title="Views by day" noun="view" series={SOURCE_SERIES} {...bars} days={views} />
        )}
        {votes === 0 ? null : (
          <div className="grid content-start gap-2">
            <DayBars title="Votes by day" noun="vote" series={VOTES} {...bars} />
            <p className="text-sm text-muted">
              {whoVotes(days)} New: first vote here. Returning: asked again after a renewal.
            </p>
          </div>
        )}
        {clicks + shares === 0 ? null : (
          <DayBars title="Link clicks and shares by day" noun="action" series={ACTIONS} {...bars} />
        )}
        <ShareChart days={days} />
      </div>
    </Card>
  );
}
