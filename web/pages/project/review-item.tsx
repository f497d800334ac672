import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../components/values/name.tsx';
import { useEffect, useRef } from 'react';
import type { Review } from '#shared/contract/reviews.ts';
import { displayName, UserAvatar } from '../../components/user/user-avatar.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { useLiveUser } from '../../lib/session.ts';
import { cn } from '../../ui/class-names.ts';
import type { ProjectView } from './project-view.ts';
import { OwnReply, Reply } from './reply.tsx';
import { ReportButton } from './report.tsx';

interface ReviewItemProps {
  project: ProjectView;
  review: Review;
  isTarget: boolean;
}

export function ReviewItem({ project, review, isTarget }: ReviewItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const wallet = useLiveUser()?.walletAddress;
  const isOwner = wallet === project.submittedBy;
  const author = displayName(review.user);
  useEffect(() => {
    if (!isTarget) return;
    item.current?.scrollIntoView({ block: 'center' });
    item.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return (
    <li
      ref={item}
      id={`review-${review.id}`}
      tabIndex={-1}
      className={cn(
        'flex gap-4 border-b border-line py-5 last:border-0',
        isTarget && '-mx-3 rounded-lg bg-raised px-3',
      )}
    >
      <UserAvatar user={review.user} size={44} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold wrap-anywhere">
            <Name>{author}</Name>
          </span>
          <RelativeTime iso={review.createdAt} className="text-sm text-faint" />
          {review.isSentence ? <span className="text-sm text-faint">in one sentence</span> : null}
        </p>
        <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
          {review.content}
        </p>
        {review.user.walletAddress === wallet ? null : (
          <ReportButton
            subject="review"
            subjectId={review.id}
            projectId={project.id}
            name={`the review by ${isolated(author)}`}
          />
        )}
        {isOwner ? <OwnReply project={project} review={review} /> : <Reply project={project} review={review} />}
      </div>
    </li>
  );
}
