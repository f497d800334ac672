import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../components/states/error-state.tsx';
import { queries } from '../../lib/queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CheckIt } from './check-it.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { LastRoot } from './last-root.tsx';
import { LieCost } from './lie-cost.tsx';
import { Limits } from './limits.tsx';
import { Ranking } from './ranking.tsx';
import { Readings } from './readings.tsx';
import { Rules } from './rules.tsx';
import { Today } from './today.tsx';

export function TrustPage() {
  const trust = useQuery(queries.trust());
  const record = useQuery(queries.record());
  return (
    <div className="page grid grid-cols-1 gap-6 py-8 md:py-12">
      <header className="grid gap-2">
        <h1 className="text-4xl md:text-5xl">Figures you can check</h1>
        <p className="max-w-prose text-lg text-muted">
          Rewards attract fake voters. Here is how we spot them, what we exclude, and how to recount it all.
        </p>
      </header>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        {trust.data ? <Today trust={trust.data} /> : null}
        {!trust.data && trust.error ? (
          <ErrorState error={trust.error} onRetry={() => void trust.refetch()} retrying={trust.isFetching} />
        ) : null}
        {!trust.data && !trust.error ? <Skeleton className="h-72 w-full rounded-xl" /> : null}
        <CheckIt />
      </div>
      <div className="grid grid-cols-1 gap-3">
        {trust.data ? <HowItWorks rules={trust.data.rules} /> : null}
        {record.data ? <LastRoot record={record.data} /> : null}
        {!record.data && record.error ? (
          <ErrorState error={record.error} onRetry={() => void record.refetch()} retrying={record.isFetching} />
        ) : null}
        {trust.data ? (
          <>
            <Readings trust={trust.data} />
            <Rules rules={trust.data.rules} />
          </>
        ) : null}
        <Ranking freeWallets={trust.data?.freeWallets} />
        <LieCost />
        <Limits />
      </div>
    </div>
  );
}
