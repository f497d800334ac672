import type { EventSource } from '#shared/listings/events.ts';
import { type DayFigures, viewsBySource } from '#shared/figures/insights.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';
import { rateText } from './range.ts';
import { SOURCE_LABELS, SOURCE_SWATCHES } from './sources.ts';

const HINTS: Record<EventSource, string> = {
  deck: 'As a card on top of a deck',
  page: 'On the project’s page',
  link: 'On the page, by a shared link',
  badge: 'The badge on another site',
  embed: 'The card on another site',
};

export function Sources({ days }: { days: readonly DayFigures[] }) {
  const sources = viewsBySource(days);
  if (sources.length === 0) return null;
  const all = sources.reduce((sum, { views }) => sum + views, 0);
  return (
    <Card aria-labelledby="sources">
      <CardTitle id="sources">Where views come from</CardTitle>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-x-8 gap-y-4">
        {sources.map(({ source, views }) => (
          <li key={source} className="grid gap-1">
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-semibold">{SOURCE_LABELS[source]}</span>
              <span className="text-muted">
                {views.toLocaleString()} · {rateText(views, all)}
              </span>
            </p>
            <span aria-hidden className="h-2.5 overflow-hidden rounded-full bg-raised">
              <span
                className={cn('block h-full rounded-full', SOURCE_SWATCHES[source])}
                style={{ width: `${(views * 100) / all}%` }}
              />
            </span>
            <p className="text-sm text-faint">{HINTS[source]}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
