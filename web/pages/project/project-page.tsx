import { isolated } from '#shared/text/isolated.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Compass } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../../lib/api-error.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useTitle } from '../../lib/title.ts';
import { paths } from '../../lib/paths.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { useProjectRef } from '../../lib/use-project-ref.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Congratulation } from '../../voting/congratulation.tsx';
import { RewardPopup } from '../../voting/reward-popup.tsx';
import { ProjectDetail } from './project-detail.tsx';
import { ReportHost } from './report.tsx';
import { PassOn } from './pass-on.tsx';
import { ProjectTrend } from './project-trend.tsx';
import type { ProjectView } from './project-view.ts';
import { Reviews } from './reviews.tsx';
import { useRecordView } from './use-record-view.ts';

function NotFound() {
  useTitle('Project Not Found');
  return (
    <EmptyState
      className="py-16"
      icon={<Compass size={28} />}
      title={<h1 className="text-2xl">Project Not Found</h1>}
      action={
        <ButtonLink href={paths.home} size="lg" className="mt-2">
          Back to Home
        </ButtonLink>
      }
    >
      It was removed or never listed.
    </EmptyState>
  );
}

const isMissing = (error: Error) => error.cause instanceof ApiError && [400, 404].includes(error.cause.status);

function useProject() {
  const ref = useProjectRef();
  const [path, navigate] = useLocation();
  const found = useQuery(queries.project(ref));
  const { data: project, dataUpdatedAt } = found;
  const home = project ? paths.project(project) : path;
  useEffect(() => {
    if (!project || home === path) return;
    queryClient.setQueryData(queries.project(project.slug).queryKey, project, { updatedAt: dataUpdatedAt });
    navigate(home + location.search, { replace: true });
  }, [project, dataUpdatedAt, home, path, navigate]);
  useTitle(project && isolated(project.name));
  return found;
}

function Below({ project }: { project: ProjectView }) {
  return (
    <>
      {project.hidden || project.totalVotes === 0 ? null : <ProjectTrend key={project.id} project={project} />}
      <Reviews project={project} />
      {project.hidden ? null : <PassOn project={project} />}
      <ReportHost projectId={project.id} />
      <RewardPopup />
      <Congratulation />
    </>
  );
}

function Content() {
  const { data: project, error, refetch, isFetching } = useProject();
  useRecordView(project);
  if (error && !project) {
    if (isMissing(error)) return <NotFound />;
    return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className="panel mt-16" />;
  }
  return (
    <>
      <ProjectDetail project={project} />
      {project ? <Below project={project} /> : null}
    </>
  );
}

export function ProjectPage() {
  return (
    <div className="page relative grid max-w-6xl gap-8 pb-8 md:gap-12">
      <Link
        href={paths.home}
        className="absolute [view-transition-name:back] on-picture top-2 start-2 bg-veil z-3 inline-flex min-h-9 items-center gap-1 rounded-full ps-2 pe-3 text-xs font-semibold transition-colors after:absolute after:-inset-1.5 hover:bg-overlay md:start-11 md:top-3 md:text-sm"
      >
        <ArrowLeft aria-hidden size={16} className="rtl:-scale-x-100" />
        Back to Voting
      </Link>
      <Content />
    </div>
  );
}
