import { useMemo } from 'react';
import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { cn } from '../../ui/class-names.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { ChartFigure } from './chart-figure.tsx';
import { dayOf, everyDay } from './days.ts';
import type { ChartColor, PlotProps } from './plot-props.ts';

export interface BarSeries {
  key: string;
  label: string;
  color: ChartColor;
}

export interface DayCounts {
  day: string;
  counts: Readonly<Record<string, number>>;
}

interface DayBarsProps {
  title: string;
  noun: string;
  nouns?: string;
  days: readonly DayCounts[];
  series: readonly BarSeries[];
  empty: string;
  until?: string;
}

const SWATCHES: Record<ChartColor, string> = {
  accent: 'bg-accent',
  text: 'bg-text',
  bull: 'bg-bull',
  bear: 'bg-bear',
  muted: 'bg-muted',
  line: 'bg-line',
  'line-strong': 'bg-line-strong',
};

function Legend({ series }: { series: readonly BarSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {series.map(({ key, label, color }) => (
        <li key={key} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={cn('size-3 rounded-sm', SWATCHES[color])} />
          {label}
        </li>
      ))}
    </ul>
  );
}

function plotOf(
  title: string,
  count: (total: number) => string,
  days: readonly DayCounts[],
  series: readonly BarSeries[],
): PlotProps {
  return {
    label: title,
    days: days.map(({ day }) => day),
    drawing: {
      kind: 'bars',
      series: series.map(({ key, color }) => ({ color, counts: days.map(({ counts }) => counts[key] ?? 0) })),
    },
    describe: (index) => {
      const found = days[index];
      if (!found) return [];
      const total = series.reduce((sum, { key }) => sum + (found.counts[key] ?? 0), 0);
      const parts = series.map(({ key, label }) => `${label}: ${(found.counts[key] ?? 0).toLocaleString()}`);
      return [dayText(found.day), count(total), ...(series.length > 1 ? parts : [])];
    },
  };
}

export function DayBars({ title, noun, nouns, days, series, empty, until }: DayBarsProps) {
  const all = useMemo(() => {
    const isEmpty = days.every(({ counts }) => series.every(({ key }) => (counts[key] ?? 0) === 0));
    return isEmpty ? [] : everyDay(days, (_previous, day) => ({ day, counts: {} }), until ?? dayOf(serverNow()));
  }, [days, series, until]);
  const plot = useMemo(
    () => plotOf(title, (total) => plural(total, noun, nouns), all, series),
    [title, noun, nouns, all, series],
  );
  const rows = useMemo(
    () => all.map(({ day, counts }) => ({ day, cells: series.map(({ key }) => (counts[key] ?? 0).toLocaleString()) })),
    [all, series],
  );
  return (
    <ChartFigure
      title={title}
      empty={empty}
      legend={series.length > 1 ? <Legend series={series} /> : null}
      plot={plot}
      table={{ label: title, columns: series.map(({ label }) => label), rows }}
    />
  );
}
