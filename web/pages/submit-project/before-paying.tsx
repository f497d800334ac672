import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asOfText } from '#shared/text/as-of-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { queries } from '../../lib/queries.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Below these a site is small, and says it. */
const SMALL_VOTERS = 100;
const SMALL_LISTINGS = 5;

function Fact({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <li>
      <b className="display text-lg">{value}</b> <span className="text-muted">{children}</span>
    </li>
  );
}

/** The reach of a listing (R92), from the site's own figures. */
export function BeforePaying() {
  const { data, error, refetch, isFetching } = useQuery(queries.reach());
  return (
    <Card aria-labelledby="before-paying" className="grid content-start gap-2">
      <CardTitle id="before-paying">Before you pay</CardTitle>
      {error ? <ReadNote failure={{ error, retry: () => void refetch(), isRetrying: isFetching }} /> : null}
      {data ? (
        <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-3">
          <Fact value={data.voters.toLocaleString()}>
            {data.voters === 1 ? 'wallet' : 'wallets'} voted here in the last 30 days, {asOfText(data.day)}
          </Fact>
          {data.firstWeekVotes === null ? null : (
            <Fact value={data.firstWeekVotes.toLocaleString()}>
              {data.firstWeekVotes === 1 ? 'vote' : 'votes'} in the first week: the median of{' '}
              {plural(data.listings, 'new listing')}
            </Fact>
          )}
          <Fact value="Insights">show views by source, votes by day, and why people voted</Fact>
        </ul>
      ) : null}
      {data || error ? null : <Skeleton className="h-18 w-full" />}
      {data && (data.voters < SMALL_VOTERS || data.listings < SMALL_LISTINGS) ? (
        <p className="text-sm">These figures are small: expect few votes, and percentages that move.</p>
      ) : null}
    </Card>
  );
}
