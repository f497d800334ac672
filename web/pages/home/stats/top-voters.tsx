import { Name } from '../../../components/values/name.tsx';
import { useQuery } from '@tanstack/react-query';
import { dayText } from '#shared/text/day-text.ts';
import { memo, useId } from 'react';
import { RankBadge } from '../../../components/values/rank-badge.tsx';
import { displayName, UserAvatar } from '../../../components/user/user-avatar.tsx';
import { queries } from '../../../lib/queries.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { cn } from '../../../ui/class-names.ts';

const PLACES = [1, 2, 3, 4, 5];

export const TopVoters = memo(function TopVoters({ userId }: { userId: number }) {
  const titleId = useId();
  const { data, error } = useQuery(queries.voterLeaderboard(userId));
  return (
    <section aria-labelledby={titleId} className="mt-5">
      <h3 id={titleId} className="mb-2 text-base">
        Top Voters
      </h3>
      {error && !data ? <p className="py-4 text-sm text-muted">{error.message}</p> : null}
      {!data && !error ? (
        <div className="grid gap-2">
          {PLACES.map((place) => (
            <Skeleton key={place} className="h-10 w-full" />
          ))}
        </div>
      ) : null}
      <ol className="grid gap-0.5">
        {data?.topVoters.map((voter) => {
          const isMe = voter.user.id === userId;
          return (
            <li
              key={voter.user.id}
              className={cn('flex min-h-11 items-center gap-2.5 rounded-full pe-3', isMe && 'bg-raised')}
            >
              <RankBadge rank={voter.rank} />
              <UserAvatar user={voter.user} size={30} />
              <span
                title={`${displayName(voter.user)}${isMe ? ' (you)' : ''}`}
                className="min-w-0 flex-1 truncate text-sm font-semibold"
              >
                <Name>{displayName(voter.user)}</Name>
                {isMe ? <span className="font-normal text-muted"> (you)</span> : null}
              </span>
              <span className="text-sm text-muted">
                {voter.totalVotes.toLocaleString()}
                {data.isInSteps && !isMe ? '+' : null} <span className="sr-only">votes</span>
              </span>
            </li>
          );
        })}
      </ol>
      {data ? (
        <p className="mt-3 flex items-center justify-between border-t border-line pt-3 text-sm font-semibold">
          Your rank
          <span className="display text-lg">{data.currentUserRank === null ? '–' : `#${data.currentUserRank}`}</span>
        </p>
      ) : null}
      {data ? (
        <p className="text-xs text-muted">
          {data.asOf ? `Other voters as of the end of ${dayText(data.asOf)} (UTC)` : 'Listed from ten votes on.'}
        </p>
      ) : null}
    </section>
  );
});
