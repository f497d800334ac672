import { useQuery } from '@tanstack/react-query';
import type { Overview } from '#shared/contract/overview.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminQueries } from '../admin-queries.ts';
import { DayCharts } from './day-charts.tsx';
import { JobsCard } from './jobs-card.tsx';
import { WaitingList, type WaitingTab } from './queues.tsx';
import { StorageCard } from './storage-card.tsx';

interface OverviewTabProps {
  onOpen: (tab: WaitingTab) => void;
}

export function OverviewTab({ onOpen }: OverviewTabProps) {
  const { data, error, refetch, isFetching } = useQuery(adminQueries.overview());
  if (data) return <Sections overview={data} onOpen={onOpen} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className="panel" />;
  return (
    <div className="grid gap-6">
      <Skeleton className="h-32 w-full rounded-lg" />
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  );
}

function Sections({
  overview: { queues, days, jobs, storage, backup },
  onOpen,
}: OverviewTabProps & { overview: Overview }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <WaitingList queues={queues} jobs={jobs} onOpen={onOpen} />
      {days ? <DayCharts days={days} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {jobs ? <JobsCard jobs={jobs} /> : null}
        {storage && backup ? <StorageCard storage={storage} backup={backup} /> : null}
      </div>
    </div>
  );
}
