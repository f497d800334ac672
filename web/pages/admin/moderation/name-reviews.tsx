import { useMutation } from '@tanstack/react-query';
import { Check, SpellCheck, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { NAME_REVIEW_HOURS } from '#shared/constants.ts';
import type { NameReview } from '#shared/contract/names.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toast.ts';
import { useList } from '../../../lib/use-list.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminLists, pollQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { refreshModerated, who } from './moderate.ts';

type Shown = Pick<NameReview, 'name' | 'category' | 'description' | 'imageUrl' | 'twitterHandle' | 'website' | 'owner'>;

/** One of the listings side by side. */
function Side({ title, listing, children }: { title: string; listing: Shown; children?: ReactNode }) {
  const { name, category, description, imageUrl, twitterHandle, website, owner } = listing;
  return (
    <div className="grid min-w-0 content-start gap-2 rounded-2xl bg-raised p-4">
      <p className="text-sm font-semibold text-muted">{title}</p>
      <div className="flex gap-3">
        <img src={imageUrl} alt="" width={72} height={96} className="h-24 w-18 shrink-0 rounded-xl object-cover" />
        <div className="grid min-w-0 content-start gap-1 text-sm wrap-anywhere">
          <p className="text-base font-semibold">{name}</p>
          <p className="text-muted">{category}</p>
          <p>@{twitterHandle}</p>
          {website ? <p>{website}</p> : null}
          <p className="text-muted">by {who(owner) || 'a deleted account'}</p>
        </div>
      </div>
      <p className="text-sm text-muted wrap-anywhere">{description}</p>
      {children}
    </div>
  );
}

function useDecide({ paymentId, name }: NameReview, onDone: () => void) {
  return useMutation({
    mutationFn: (reason: string | null) =>
      adminRequest((headers) =>
        api.reviewName({
          params: { id: paymentId },
          body: reason === null ? { decision: 'list' } : { decision: 'decline', reason },
          headers,
        }),
      ),
    onSuccess: (_done, reason) => {
      onDone();
      toast({
        title: reason === null ? 'Name listed' : 'Name declined',
        description: reason === null ? name : `${name}. The fee now waits in Payments for its refund.`,
        variant: 'success',
      });
    },
    onError: (error) => showFailure('Error', error, 'Failed to decide on the name'),
    onSettled: refreshModerated,
  });
}

function Row({ review }: { review: NameReview }) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useDecide(review, () => setAsking(false));
  const { name, since, isListed, project, others } = review;
  const title = project && !isListed ? `New name of ${project.name}` : isListed ? 'Listed' : 'New listing';
  return (
    <li className="grid grid-cols-1 gap-3 py-4 first:pt-1 last:pb-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span>
          Paid <RelativeTime iso={since} />
        </span>
        {isListed ? <Badge tone="warn">Listed with a marker</Badge> : null}
      </p>
      <div className="grid gap-3 md:grid-cols-2">
        <Side title={title} listing={review}>
          {project ? (
            <Link href={paths.project(project)} className="text-sm text-link underline underline-offset-4">
              Open its page
            </Link>
          ) : null}
        </Side>
        {others.map((other) => (
          <Side key={other.id} title="Listed before" listing={other}>
            <Link href={paths.project(other)} className="text-sm text-link underline underline-offset-4">
              Open its page
            </Link>
          </Side>
        ))}
      </div>
      <p className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          aria-label={isListed ? `Remove the marker of ${name}` : `List ${name}`}
          busy={isPending && !isAsking ? 'Saving...' : false}
          onClick={() => mutate(null)}
        >
          <Check aria-hidden size={18} />
          {isListed ? 'Remove the marker' : 'List'}
        </Button>
        {isListed ? null : (
          <Button variant="ghost" aria-label={`Decline ${name}`} onClick={() => setAsking(true)}>
            <X aria-hidden size={18} />
            Decline
          </Button>
        )}
      </p>
      {isAsking ? (
        <ReasonDialog
          title="Decline the name"
          description="The payer can read your reason. The fee then waits in Payments for its refund."
          action="Decline"
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(false)}
          onSubmit={mutate}
        />
      ) : null}
    </li>
  );
}

/** Paid orders whose name looks like that of another listing, beside that listing (R74). */
export function NameReviews() {
  const { rows, error, retry, isRetrying, more } = useList(adminLists.nameReviews(), {
    noun: 'names',
    refetchInterval: pollQueue,
  });
  return (
    <Card aria-labelledby="name-reviews" className="grid grid-cols-1 gap-4">
      <CardTitle id="name-reviews" aside={<TotalCount total={rows && more.total} />}>
        Names that look alike
      </CardTitle>
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {rows?.length === 0 ? (
        <EmptyState icon={<SpellCheck size={28} />} title="No name waits">
          Paid listings whose name looks like another one wait here for up to {NAME_REVIEW_HOURS} hours.
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <ul className="divide-y divide-line">
            {rows.map((review) => (
              <Row key={review.paymentId} review={review} />
            ))}
          </ul>
          <ShowMore more={more} noun="names" />
        </>
      ) : null}
    </Card>
  );
}
