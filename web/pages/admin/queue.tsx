import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../components/states/show-more.tsx';
import type { ListPage, ListSource } from '../../lib/fetch-page.ts';
import { type Pages, useList } from '../../lib/use-list.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { CsvRow } from './table/csv.ts';
import { CsvButton } from './table/csv-button.tsx';

interface QueueProps<T> {
  title: string;
  noun: string;
  source: ListSource<T>;
  poll?: (pages: Pages<ListPage<T>> | undefined) => number;
  keepPrevious?: boolean;
  /** Without it the card is shown only while the list has rows. */
  empty?: { Icon: LucideIcon; title: string; text?: ReactNode };
  csv?: { name?: string; toRow?: (entry: T) => CsvRow };
  filter?: ReactNode;
  renderRow?: (entry: T) => ReactNode;
  renderTable?: (rows: readonly T[]) => ReactNode;
  children?: ReactNode;
}

export function Queue<T extends CsvRow>(props: QueueProps<T>) {
  const { title, noun, source, poll, keepPrevious, empty, csv, filter, renderRow, renderTable, children } = props;
  const id = useId();
  const { rows, error, retry, isRetrying, more } = useList(source, {
    noun,
    ...(poll ? { refetchInterval: poll } : {}),
    ...(keepPrevious ? { keepPrevious } : {}),
  });
  if (!empty && !error && !rows?.length) return null;
  return (
    <Card aria-labelledby={id} className="grid grid-cols-1 gap-4">
      <CardTitle id={id} aside={<TotalCount total={rows && more.total} />}>
        {title}
      </CardTitle>
      {filter}
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {empty && rows?.length === 0 ? (
        <EmptyState icon={<empty.Icon size={28} />} title={empty.title}>
          {empty.text}
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          {renderTable?.(rows)}
          {renderRow ? <ul className="divide-y divide-line">{rows.map(renderRow)}</ul> : null}
          <ShowMore more={more} noun={noun} />
          {csv ? <CsvButton name={title} source={source} {...csv} /> : null}
          {children}
        </>
      ) : null}
    </Card>
  );
}
