import { useMemo } from 'react';
import type { ProjectDay } from '#shared/contract/trends.ts';
import { dayText } from '#shared/text/day-text.ts';
import { intervalText, verifiedText, wilsonInterval } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { ChartFigure } from './chart-figure.tsx';
import { dayOf, everyDay } from './days.ts';
import type { PlotProps } from './plot-props.ts';

const TITLE = 'Bullish share by day';
type Day = Pick<ProjectDay, 'day' | 'bullish' | 'bearish' | 'verifiedBullish' | 'verifiedBearish'>;

const hasVotes = ({ bullish, bearish }: Day): boolean => bullish + bearish > 0;
const shareOf = (day: Day): number | null => (hasVotes(day) ? day.bullish / (day.bullish + day.bearish) : null);
const percentOf = (day: Day): string => (hasVotes(day) ? `${bullishPercentage(day.bullish, day.bearish)}%` : '–');

function verifiedOf(day: Day): string {
  if (day.verifiedBullish === null || day.verifiedBearish === null) return '';
  return verifiedText({ bullish: day.verifiedBullish, bearish: day.verifiedBearish });
}

function describe(day: Day): string[] {
  const votes = day.bullish + day.bearish;
  const lines = hasVotes(day)
    ? [`${percentOf(day)} bullish of ${plural(votes, 'vote')}`, `likely ${intervalText(day)}`, verifiedOf(day)]
    : ['No votes'];
  return [dayText(day.day), ...lines].filter((line) => line !== '');
}

function drawingOf(days: readonly Day[]): PlotProps {
  const bounds = days.map((day) => (hasVotes(day) ? wilsonInterval(day) : null));
  return {
    label: TITLE,
    days: days.map(({ day }) => day),
    drawing: {
      kind: 'share',
      share: days.map(shareOf),
      low: bounds.map((bound) => bound && bound.low),
      high: bounds.map((bound) => bound && bound.high),
    },
    describe: (index) => {
      const day = days[index];
      return day ? describe(day) : [];
    },
  };
}

export function ShareChart({ days }: { days: readonly Day[] }) {
  const all = useMemo(
    () => (days.some(hasVotes) ? everyDay(days, (previous, day) => ({ ...previous, day }), dayOf(serverNow())) : []),
    [days],
  );
  const drawing = useMemo(() => drawingOf(all), [all]);
  const rows = useMemo(
    () =>
      all.map((day) => ({
        day: day.day,
        cells: [percentOf(day), intervalText(day) || '–', String(day.bullish), String(day.bearish)],
      })),
    [all],
  );
  return (
    <ChartFigure
      title={TITLE}
      empty="The first vote starts the line."
      legend={<p className="text-sm text-muted">The band is the likely range (95%). Each vote makes it narrower.</p>}
      plot={drawing}
      table={{ label: TITLE, columns: ['Bullish share', 'Likely range', 'Bullish', 'Bearish'], rows }}
    />
  );
}
