import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Compass, LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '#shared/contract/types.ts';
import { Link } from 'wouter';
import { ConnectGate } from '../../components/session/connect-gate.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { useSessionUser } from '../../lib/session.ts';
import { useTitle } from '../../lib/title.ts';
import { useProjectRef } from '../../lib/use-project-ref.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Insights } from './insights.tsx';

function Closed({ icon, title, children }: { icon: ReactNode; title: string; children: string }) {
  useTitle(title);
  return (
    <EmptyState
      className="py-16"
      icon={icon}
      title={<h1 className="text-2xl">{title}</h1>}
      action={
        <ButtonLink href={paths.portfolio} size="lg" className="mt-2">
          Your projects
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  );
}

function Loading() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-16 w-2/3 rounded-xl" />
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-96 rounded-xl" />
    </div>
  );
}

function Content({ user, reference }: { user: User; reference: string }) {
  const { data, error, refetch, isFetching } = useQuery(queries.insights(user.id, reference));
  if (data) return <Insights insights={data} user={user} />;
  if (!error) return <Loading />;
  const status = error.cause instanceof ApiError ? error.cause.status : 0;
  if (status === 403) {
    return (
      <Closed icon={<LockKeyhole size={28} />} title="For the owner only">
        Insights are shown to the wallet that listed the project. Connect that wallet to see them.
      </Closed>
    );
  }
  if (status === 404 || status === 400) {
    return (
      <Closed icon={<Compass size={28} />} title="Project Not Found">
        It was removed or never listed.
      </Closed>
    );
  }
  return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className="panel" />;
}

export function InsightsPage() {
  const ref = useProjectRef();
  const user = useSessionUser();
  if (!user) return <ConnectGate>Insights are for the owner of the project.</ConnectGate>;
  return (
    <div className="page flex flex-col gap-6 py-4 md:py-6">
      <Link
        href={paths.project({ id: 0, slug: ref })}
        className="-ms-3 -mb-4 inline-flex min-h-11 items-center gap-2 self-start rounded-full px-3 font-semibold text-muted transition-colors hover:bg-raised hover:text-text"
      >
        <ArrowLeft aria-hidden size={20} />
        Back to the project
      </Link>
      <Content key={`${user.id} ${ref}`} user={user} reference={ref} />
    </div>
  );
}
