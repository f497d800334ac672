import { TrendingDown, TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { dayText } from '#shared/day-text.ts';
import { plural } from '#shared/plural.ts';
import { ErrorState } from '../../components/states/error-state.tsx';
import { ShowMore } from '../../components/states/show-more.tsx';
import { VoteStateBadge } from '../../components/values/voter-state.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { useList } from '../../lib/use-list.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import { ChangeLink } from './change-link.tsx';

function evidenceText({ isDecided, daysRead, daysHeld }: VoteHistoryItem['evidence']): string | null {
  if (isDecided) return `Decided: held enough on ${daysHeld} of ${plural(daysRead, 'day')} read since`;
  return daysRead === 0 ? null : `Held enough on ${daysHeld} of ${plural(daysRead, 'day')} read so far`;
}

function Line({ vote }: { vote: VoteHistoryItem }) {
  const Icon = vote.voteType === 'bullish' ? TrendingUp : TrendingDown;
  const evidence = evidenceText(vote.evidence);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-3">
      <p className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden size={16} className={vote.voteType === 'bullish' ? 'text-bull' : 'text-bear'} />
        <Link href={paths.project(vote.project)} className="truncate font-semibold underline-offset-4 hover:underline">
          {vote.project.name}
        </Link>
      </p>
      <VoteStateBadge state={vote.state} />
      <p className="col-span-2 flex flex-wrap gap-x-3 text-sm text-faint">
        <span>
          {VOTE_LOOKS[vote.voteType].label} since {dayText(vote.since)}
        </span>
        <ChangeLink vote={vote} />
        {evidence === null ? null : <span>{evidence}</span>}
        {vote.detail === null ? null : <span className="wrap-anywhere text-warn">{vote.detail}</span>}
      </p>
    </li>
  );
}

function List({ userId }: { userId: number }) {
  const { rows, error, retry, isRetrying, more } = useList(queries.votePages(userId), { noun: 'votes' });
  if (error) return <ErrorState error={error} onRetry={retry} retrying={isRetrying} />;
  if (!rows) return <Skeleton className="h-44 w-full" />;
  if (rows.length === 0) return <p className="text-muted">No votes yet.</p>;
  return (
    <div>
      <ul aria-label="Your votes and what they count for" className="divide-y divide-line">
        {rows.map((vote) => (
          <Line key={vote.id} vote={vote} />
        ))}
      </ul>
      <ShowMore more={more} noun="votes" />
    </div>
  );
}

export function OwnVotes({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        className="button-edge justify-self-start"
        aria-expanded={isOpen}
        onClick={() => setOpen((was) => !was)}
      >
        {isOpen ? 'Hide the votes' : 'See each vote'}
      </Button>
      {isOpen ? <List userId={userId} /> : null}
    </>
  );
}
