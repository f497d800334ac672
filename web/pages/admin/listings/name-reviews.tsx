import { isolated } from '#shared/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { Check, SpellCheck, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { NAME_REVIEW_HOURS } from '#shared/constants.ts';
import type { NameReview } from '#shared/contract/names.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Act } from '../act.tsx';
import { adminLists, pollQueue, TOUCHED } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { nameText } from '../row.tsx';

type Shown = Pick<NameReview, 'name' | 'category' | 'description' | 'imageUrl' | 'twitterHandle' | 'website' | 'owner'>;

function Side({ title, listing, children }: { title: string; listing: Shown; children?: ReactNode }) {
  const { name, category, description, imageUrl, twitterHandle, website, owner } = listing;
  return (
    <div className="grid min-w-0 content-start gap-2 rounded-2xl bg-raised p-4">
      <p className="text-sm font-semibold text-muted">{title}</p>
      <div className="flex gap-3">
        <img src={imageUrl} alt="" width={72} height={96} className="h-24 w-18 shrink-0 rounded-xl object-cover" />
        <div className="grid min-w-0 content-start gap-1 text-sm wrap-anywhere">
          <p className="text-base font-semibold">
            <Name>{name}</Name>
          </p>
          <p className="text-muted">{category}</p>
          <p>@{twitterHandle}</p>
          {website ? <p>{website}</p> : null}
          <p className="text-muted">by {nameText(owner) || 'a deleted account'}</p>
        </div>
      </div>
      <p className="text-sm text-muted wrap-anywhere">{description}</p>
      {children}
    </div>
  );
}

function PageLink({ project }: { project: { id: number; slug: string } }) {
  return (
    <Link href={paths.project(project)} className="text-sm text-link underline underline-offset-4">
      Open its page
    </Link>
  );
}

function Acts({ review: { paymentId, name, isListed } }: { review: NameReview }) {
  const params = { id: paymentId };
  const failed = 'Failed to decide on the name';
  return (
    <p className="flex flex-wrap gap-3">
      <Act
        word={isListed ? 'Remove the marker' : 'List'}
        label={isListed ? `Remove the marker of ${isolated(name)}` : `List ${isolated(name)}`}
        Icon={Check}
        call={(headers) => api.reviewName({ params, body: { decision: 'list' }, headers })}
        done={{ title: 'Name listed', description: name }}
        failed={failed}
        refresh={TOUCHED.moderated}
      />
      {isListed ? null : (
        <Act
          word="Decline"
          label={`Decline ${isolated(name)}`}
          Icon={X}
          variant="ghost"
          ask={{
            title: 'Decline the name',
            description: 'The payer can read your reason. The fee then waits in Payments for its refund.',
            action: 'Decline',
          }}
          call={(headers, reason) => api.reviewName({ params, body: { decision: 'decline', reason }, headers })}
          done={{
            title: 'Name declined',
            description: `${isolated(name)}. The fee now waits in Payments for its refund.`,
          }}
          failed={failed}
          refresh={TOUCHED.moderated}
        />
      )}
    </p>
  );
}

function Review({ review }: { review: NameReview }) {
  const { since, isListed, project, others } = review;
  const title = project && !isListed ? `New name of ${isolated(project.name)}` : isListed ? 'Listed' : 'New listing';
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
          {project ? <PageLink project={project} /> : null}
        </Side>
        {others.map((other) => (
          <Side key={other.id} title={other.isClose ? 'Close name' : 'Listed before'} listing={other}>
            <PageLink project={other} />
          </Side>
        ))}
      </div>
      <Acts review={review} />
    </li>
  );
}

export const NameReviews = () => (
  <Queue
    title="Names that look alike"
    noun="names"
    source={adminLists.nameReviews()}
    poll={pollQueue}
    empty={{
      Icon: SpellCheck,
      title: 'No names to review',
      text: `Paid listings whose name looks like another one wait here for up to ${NAME_REVIEW_HOURS} hours.`,
    }}
    renderRow={(review) => <Review key={review.paymentId} review={review} />}
  />
);
