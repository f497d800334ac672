import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { useQuery } from '@tanstack/react-query';
import { memo, useId } from 'react';
import { SIDEBAR_REVIEWS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { displayName, UserAvatar } from '../../../components/user/user-avatar.tsx';
import { queries } from '../../../lib/queries.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

export const ProjectReviews = memo(function ProjectReviews({ project }: { project: Project | undefined }) {
  const titleId = useId();
  // Below Top Projects, whose height is known then: nothing moves.
  const { isPending } = useQuery(queries.topProjects());
  if (isPending) return null;
  return (
    <Card aria-labelledby={titleId}>
      <CardTitle id={titleId}>Project Reviews</CardTitle>
      {project ? (
        <Reviews key={project.id} projectId={project.id} name={project.name} />
      ) : (
        <None>Reviews of the current project appear here</None>
      )}
    </Card>
  );
});

function Reviews({ projectId, name }: { projectId: number; name: string }) {
  const { data, error } = useQuery(queries.reviews(projectId));
  if (!data) return error ? <p className="text-sm text-muted">{error.message}</p> : <LoadingReviews />;
  if (data.rows.length === 0) return <None>No reviews for this project yet</None>;
  return (
    <ul className="grid gap-4">
      {data.rows.slice(0, SIDEBAR_REVIEWS).map((review) => (
        <li key={review.id} className="flex gap-3">
          <UserAvatar user={review.user} size={36} />
          <div className="min-w-0 flex-1 text-sm">
            <p title={displayName(review.user)} className="truncate font-semibold">
              <Name>{displayName(review.user)}</Name>
            </p>
            <p title={review.content} className="line-clamp-2 text-muted wrap-anywhere">
              {review.content}
            </p>
            {review.reply ? (
              <p
                title={`Reply from ${isolated(name)}: ${review.reply.content}`}
                className="mt-1 line-clamp-1 border-s-2 border-line-strong ps-2 text-muted wrap-anywhere"
              >
                <span className="font-semibold">
                  Reply from <Name>{name}</Name>:
                </span>{' '}
                {review.reply.content}
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

const None = ({ children }: { children: string }) => <p className="text-sm text-muted">{children}</p>;

const LoadingReviews = () => (
  <div className="grid gap-4">
    <Skeleton className="h-14 w-full" />
    <Skeleton className="h-14 w-full" />
    <Skeleton className="h-14 w-full" />
  </div>
);
