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
import { Reviews } from './reviews.tsx';
import { useRecordView } from './use-record-view.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import * as styles from './project.module.css';

function LoadingProject() {
  return (
    <div className={styles.grid}>
      <VisuallyHidden>Loading project...</VisuallyHidden>
      <Skeleton className={`${styles.picture} rounded-2xl`} />
      <div className={`${styles.head} grid content-start gap-4`}>
        <Skeleton className="h-7 w-24 rounded-full" />
        <Skeleton className="h-12 w-3/4" />
      </div>
      <div className={`${styles.body} grid content-start gap-5`}>
        <Skeleton className="h-52 w-full rounded-xl" />
        <Skeleton className="h-27 w-full max-w-lg rounded-xl" />
        <Skeleton className="h-12 w-full max-w-prose" />
        <Skeleton className="h-11 w-60 rounded-full" />
      </div>
    </div>
  );
}

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

function Content() {
  const { data: project, error, refetch, isFetching } = useProject();
  useRecordView(project);
  if (project) {
    return (
      <>
        <ProjectDetail project={project} />
        {project.hidden || project.totalVotes === 0 ? null : <ProjectTrend key={project.id} project={project} />}
        <Reviews project={project} />
        {project.hidden ? null : <PassOn project={project} />}
        <ReportHost projectId={project.id} />
        <RewardPopup />
        <Congratulation />
      </>
    );
  }
  if (!error) return <LoadingProject />;
  if (isMissing(error)) return <NotFound />;
  return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className="panel" />;
}

export function ProjectPage() {
  return (
    <div className="page grid max-w-6xl gap-6 pb-4 md:gap-8 md:pb-6">
      <Link
        href={paths.home}
        className="-ms-3 -mb-4 inline-flex min-h-11 items-center gap-2 justify-self-start rounded-full px-3 font-semibold text-muted transition-colors hover:bg-raised hover:text-text"
      >
        <ArrowLeft aria-hidden size={20} />
        Back to Voting
      </Link>
      <Content />
    </div>
  );
}
