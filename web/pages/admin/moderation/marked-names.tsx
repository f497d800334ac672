import { Check, SpellCheck } from 'lucide-react';
import { Link } from 'wouter';
import type { MarkedListing } from '#shared/contract/marks.ts';
import { dayText } from '#shared/text/day-text.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Act } from '../act.tsx';
import { adminList, pollQueue } from '../admin-queries.ts';
import { FeeRefund } from '../money/refund-button.tsx';
import { Queue } from '../queue.tsx';
import { nameText } from '../row.tsx';
import { HideAct } from './hide-act.tsx';

function Side({ title, listing }: { title: string; listing: Omit<MarkedListing['others'][number], 'isClose'> }) {
  const { name, category, description, imageUrl, twitterHandle, website, owner, listedAt } = listing;
  return (
    <div className="grid min-w-0 content-start gap-2 rounded-2xl bg-raised p-4">
      <p className="text-sm font-semibold text-muted">{title}</p>
      <div className="flex gap-3">
        <img src={imageUrl} alt="" width={72} height={96} className="h-24 w-18 shrink-0 rounded-xl object-cover" />
        <div className="grid min-w-0 content-start gap-1 text-sm wrap-anywhere">
          <p className="text-base font-semibold">{name}</p>
          <p className="text-muted">{category}</p>
          <p>@{twitterHandle}</p>
          <p className="text-muted">since {dayText(listedAt)}</p>
          {website ? <p>{website}</p> : null}
          <p className="text-muted">by {nameText(owner) || 'a deleted account'}</p>
        </div>
      </div>
      <p className="text-sm text-muted wrap-anywhere">{description}</p>
      <Link href={paths.project(listing)} className="text-sm text-link underline underline-offset-4">
        Open its page
      </Link>
    </div>
  );
}

function Acts({ marked: { id, name, isHidden, fee } }: { marked: MarkedListing }) {
  if (isHidden) return <FeeRefund fee={fee} name={name} />;
  return (
    <p className="flex flex-wrap gap-3">
      <Act
        word="Clear the mark"
        label={`Clear the mark of ${name}`}
        Icon={Check}
        call={(headers) => api.clearMark({ params: { id: String(id) }, headers })}
        done={{ title: 'Mark cleared', description: name }}
        failed="Failed to decide on the name"
      />
      <HideAct
        subject={{ kind: 'project', id, name, hiddenAt: null }}
        note={fee ? ' The fee then waits here for its refund.' : ' Nothing was paid for it.'}
      />
    </p>
  );
}

function Marked({ marked }: { marked: MarkedListing }) {
  return (
    <li className="grid grid-cols-1 gap-3 py-4 first:pt-1 last:pb-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span>
          Marked <RelativeTime iso={marked.markedAt} />
        </span>
        {marked.isHidden ? <Badge tone="accent">Hidden, fee to refund</Badge> : null}
      </p>
      <div className="grid gap-3 md:grid-cols-2">
        <Side title="Marked" listing={marked} />
        {marked.others.map((other) => (
          <Side key={other.id} title={other.isClose ? 'Close name' : 'Looks the same'} listing={other} />
        ))}
      </div>
      <Acts marked={marked} />
    </li>
  );
}

export const MarkedNames = () => (
  <Queue
    title="Names that look alike"
    noun="names"
    source={adminList('listMarked', {})}
    poll={pollQueue}
    empty={{
      Icon: SpellCheck,
      title: 'No names to review',
      text: 'Listings whose name looks like another one are live, marked, and stand here until you have looked.',
    }}
    renderRow={(marked) => <Marked key={marked.id} marked={marked} />}
  />
);
