import { useQuery } from '@tanstack/react-query';
import { Loaded, Read } from '../../components/states/read.tsx';
import { queries } from '../../lib/queries.ts';
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
  return (
    <div className="page grid gap-6 py-4 md:py-6">
      <header className="grid gap-1">
        <h1 className="text-2xl md:text-4xl">Figures you can check</h1>
        <p className="text-muted md:text-lg">
          Rewards attract fake voters. Here is how we spot them, what we exclude, and how to recount it all.
        </p>
      </header>
      <div className="grid gap-6 lg:grid-cols-2 lg:gap-12">
        <Loaded of={trust} skeleton="h-72 w-full rounded-xl">
          {(figures) => <Today trust={figures} />}
        </Loaded>
        <CheckIt />
      </div>
      <div className="panel grid px-5 *:first:border-t-0 md:px-6">
        {trust.data ? <HowItWorks rules={trust.data.rules} /> : null}
        <Read of={queries.record()} skeleton={null}>
          {(record) => <LastRoot record={record} />}
        </Read>
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
