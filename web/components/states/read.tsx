import { type QueryKey, type UndefinedInitialDataOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from './error-state.tsx';

interface Parts<T> {
  /** Class names of a Skeleton, or an element. */
  skeleton: string | ReactElement | null;
  className?: string;
  children: (data: T) => ReactNode;
}

interface LoadedProps<T> extends Parts<T> {
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching'> & { refetch: () => unknown };
}

/** Shows the data, or else the failure with a retry, or else the skeleton. Data stays when a later read fails. */
export function Loaded<T>({ of, skeleton, className, children }: LoadedProps<T>) {
  const { data, error, isFetching, refetch } = of;
  if (data !== undefined) return children(data);
  if (!error) return typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton;
  return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className={className} />;
}

interface ReadProps<T, K extends QueryKey> extends Parts<T> {
  of: UndefinedInitialDataOptions<T, Error, T, K>;
}

export function Read<T, K extends QueryKey>({ of, ...parts }: ReadProps<T, K>) {
  return <Loaded of={useQuery(of)} {...parts} />;
}

interface RowsProps<T> extends Parts<T[]> {
  of: { rows: T[] | undefined; error: Error | null; retry: () => void; isRetrying: boolean };
}

/** Like `Loaded`, for a list in pages. */
export function Rows<T>({ of: { rows, error, retry, isRetrying }, ...parts }: RowsProps<T>) {
  return <Loaded of={{ data: rows, error, isFetching: isRetrying, refetch: retry }} {...parts} />;
}
