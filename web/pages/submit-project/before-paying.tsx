import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asOfText } from '#shared/text/as-of-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { queries } from '../../lib/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Below these a site is small, and says it. */
const SMALL_VOTERS = 100;
const SMALL_LISTINGS = 5;

function Figure({ value, children }: { value: number; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2 sm:gap-3">
      <b className="display text-2xl">{value.toLocaleString()}</b>
      <span className="max-w-60 text-xs text-muted sm:text-sm">{children}</span>
    </li>
  );
}

/** The reach of a listing (R92), from the site's own figures. */
export function BeforePaying() {
  const { data, error, refetch, isFetching } = useQuery(queries.reach());
  return (
    <section aria-label="Before you pay" className="grid content-start gap-2">
      {error ? <ReadNote failure={{ error, retry: () => void refetch(), isRetrying: isFetching }} /> : null}
      {data ? (
        <>
          <ul className="grid grid-cols-2 gap-x-4">
            <Figure value={data.voters}>
              {data.voters === 1 ? 'wallet' : 'wallets'} voted here in the last 30 days, {asOfText(data.day)}
            </Figure>
            {data.firstWeekVotes === null ? null : (
              <Figure value={data.firstWeekVotes}>
                {data.firstWeekVotes === 1 ? 'vote' : 'votes'} in the first week: the median of{' '}
                {plural(data.listings, 'new listing')}
              </Figure>
            )}
          </ul>
          <p className="text-xs text-muted sm:text-sm">
            Insights show views by source, votes by day, and why people voted.{' '}
            {data.voters < SMALL_VOTERS || data.listings < SMALL_LISTINGS ? (
              <span className="text-text">These figures are small: expect few votes, and percentages that move.</span>
            ) : null}
          </p>
        </>
      ) : null}
      {data || error ? null : <Skeleton className="h-24 w-full sm:h-18" />}
    </section>
  );
}
