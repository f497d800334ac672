import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { memo, useId } from 'react';
import { SIDEBAR_REVIEWS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { displayName, UserAvatar } from '../../../components/user/user-avatar.tsx';
import { queries } from '../../../lib/queries.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

export const ProjectReviews = memo(function ProjectReviews({ project }: { project: Project | undefined }) {
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardTitle id={titleId} icon={<MessageSquareText aria-hidden size={20} className="text-link" />}>
        Project Reviews
      </CardTitle>
      {/* The height is the same with three reviews and their replies as without, so that nothing below moves from card to card. */}
      <div className="grid min-h-28 lg:min-h-72 content-start">
        {project ? (
          <Reviews key={project.id} projectId={project.id} name={project.name} />
        ) : (
          <None>Reviews of the current project appear here</None>
        )}
      </div>
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
                className="mt-1 line-clamp-1 border-s-2 border-accent ps-2 text-muted wrap-anywhere"
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

const None = ({ children }: { children: string }) => <p className="m-auto text-center text-muted">{children}</p>;

const LoadingReviews = () => (
  <div className="grid gap-4">
    <Skeleton className="h-14 w-full" />
    <Skeleton className="h-14 w-full" />
    <Skeleton className="h-14 w-full" />
  </div>
);
