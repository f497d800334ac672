import { EVENT_SOURCES, type EventSource } from '#shared/listings/events.ts';
import type { BarSeries } from '../../components/charts/day-bars.tsx';

export const SOURCE_LABELS: Record<EventSource, string> = {
  deck: 'Deck',
  page: 'Page',
  badge: 'Badge',
  embed: 'Embedded card',
  link: 'Shared link',
};

const COLORS: Record<EventSource, BarSeries['color']> = {
  deck: 'accent',
  page: 'text',
  link: 'line-strong',
  badge: 'muted',
  embed: 'line',
};
export const SOURCE_SWATCHES: Record<EventSource, string> = {
  deck: 'bg-accent',
  page: 'bg-text',
  link: 'bg-line-strong',
  badge: 'bg-muted',
  embed: 'bg-line',
};

export const SOURCE_SERIES: readonly BarSeries[] = EVENT_SOURCES.map((source) => ({
  key: source,
  label: SOURCE_LABELS[source],
  color: COLORS[source],
}));
