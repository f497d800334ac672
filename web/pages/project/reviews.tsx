import { EyeOff, MessageSquareText, PenLine } from 'lucide-react';
import { useLocationProperty } from 'wouter/use-browser-location';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Rows } from '../../components/states/read.tsx';
import { ShowMore } from '../../components/states/show-more.tsx';
import { useSession } from '../../lib/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { PostReview } from './post-review.tsx';
import type { ProjectView } from './project-view.ts';
import { ReviewItem } from './review-item.tsx';
import { useReviews } from './use-reviews.ts';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';

const targetOf = () => Number(/^#review-(\d{1,15})$/.exec(location.hash)?.[1] ?? 0);

function LoadingReviews() {
  return (
    <div className="grid gap-5 py-5">
      <VisuallyHidden>Loading reviews...</VisuallyHidden>
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

function ReviewList({ project }: { project: ProjectView }) {
  const isOwn = useSession().user?.walletAddress === project.submittedBy;
  const list = useReviews(project.id);
  const { total, more } = list;
  const target = useLocationProperty(targetOf, () => 0);
  return (
    <section aria-labelledby="reviews" className="min-w-0">
      <h2 id="reviews" className="text-2xl">
        Reviews{total === null ? '' : ` (${total})`}
      </h2>
      <Rows of={list} skeleton={<LoadingReviews />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<MessageSquareText size={28} />}>
              No reviews yet.{isOwn ? '' : ' Be the first to review this project!'}
            </EmptyState>
          ) : (
            <ul>
              {rows.map((review) => (
                <ReviewItem key={review.id} project={project} review={review} isTarget={review.id === target} />
              ))}
            </ul>
          )
        }
      </Rows>
      <ShowMore more={more} noun="reviews" />
    </section>
  );
}

function HiddenReviews() {
  return (
    <section aria-labelledby="reviews" className="min-w-0">
      <h2 id="reviews" className="text-2xl">
        Reviews
      </h2>
      <EmptyState icon={<EyeOff size={28} />}>Reviews are hidden together with the project.</EmptyState>
    </section>
  );
}

function OwnProject() {
  return (
    <p className="flex items-center gap-2 text-muted">
      <PenLine aria-hidden size={18} className="shrink-0" />
      You cannot review your own project.
    </p>
  );
}

function ReviewForm({ project }: { project: ProjectView }) {
  const { user } = useSession();
  if (!user) return <PostReviewGate />;
  return user.walletAddress === project.submittedBy ? <OwnProject /> : <PostReview project={project} user={user} />;
}

function PostReviewGate() {
  return (
    <Card aria-labelledby="post-review">
      <CardTitle id="post-review">Post a Review</CardTitle>
      <ConnectButton className="w-full px-3">Connect Wallet to Post Reviews</ConnectButton>
    </Card>
  );
}

export function Reviews({ project }: { project: ProjectView }) {
  return (
    <div className="grid gap-8 border-t border-line pt-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-14">
      <div className="lg:order-2 lg:self-start">
        <ReviewForm project={project} />
      </div>
      {project.hidden ? <HiddenReviews /> : <ReviewList key={project.id} project={project} />}
    </div>
  );
}
