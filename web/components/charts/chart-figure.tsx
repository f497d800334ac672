import type { ReactNode } from 'react';
import { useIsLive } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { OnDemand } from '../states/on-demand.tsx';
import { DayTable, type DayTableProps } from './day-table.tsx';
import type { PlotProps } from './plot-props.ts';

/** uPlot throws for a language that Intl does not know (WebKit under LANG=C). Call this before its chunk is fetched. */
function ensureKnownLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}

const plot = loadable(async () => (await import('./plot.tsx')).Plot);
if (typeof window !== 'undefined') ensureKnownLanguage();

interface ChartFigureProps {
  title: string;
  empty: string;
  legend?: ReactNode;
  plot: PlotProps;
  table: DayTableProps;
}

export function ChartFigure({ title, empty, legend, plot: drawing, table }: ChartFigureProps) {
  const isLive = useIsLive();
  const loading = <Skeleton className="size-full rounded-lg" />;
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <figcaption className="font-semibold">{title}</figcaption>
      {drawing.days.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <>
          {legend}
          <div className="h-56 min-w-0">
            {isLive ? (
              <OnDemand name="The chart" onRetry={plot.retry} loading={loading}>
                <plot.Part {...drawing} />
              </OnDemand>
            ) : (
              loading
            )}
          </div>
          <DayTable {...table} />
        </>
      )}
    </figure>
  );
}
