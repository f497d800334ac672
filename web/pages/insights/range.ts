import type { Insights } from '#shared/contract/insights.ts';
import type { DayFigures } from '#shared/figures/insights.ts';

export const RANGES = ['7', '30', '90', 'all'] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_LABELS: Record<Range, string> = { '7': '7 days', '30': '30 days', '90': '90 days', all: 'All' };

export const rangeOf = (search: string): Range => {
  const asked = new URLSearchParams(search).get('days');
  return RANGES.find((range) => range === asked) ?? '30';
};

export interface Shown {
  days: DayFigures[];
  before: DayFigures[] | null;
  /** Counters at the end of the day before. */
  start: Insights['before'];
}

/** `start`: counters before all days. */
export function daysIn(range: Range, all: readonly DayFigures[], start: Insights['before']): Shown {
  if (range === 'all') return { days: [...all], before: null, start };
  const length = Number(range);
  return {
    days: all.slice(-length),
    before: all.length >= 2 * length ? all.slice(-2 * length, -length) : null,
    start: all.at(-length - 1) ?? start,
  };
}

export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0%' : 'new';
  const percent = Math.round(((now - before) * 100) / before);
  if (percent === 0) return '±0%';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString()}%`;
}

/** '7.1%', '<0.1%': how many of the one led to the other; more than all is possible, as not every view is counted. */
export function rateText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part * 100) / whole;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  return `${percent >= 10 ? Math.round(percent).toLocaleString() : percent.toFixed(1)}%`;
}
