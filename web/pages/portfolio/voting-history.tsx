import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../components/values/name.tsx';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { Link } from 'wouter';
import { RECENT_VOTES } from '#shared/constants.ts';
import { Read } from '../../components/states/read.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { ChangeLink } from '../../components/values/change-link.tsx';

export function VotingHistory({ userId }: { userId: number }) {
  return (
    <Card aria-labelledby="voting-history">
      <CardTitle id="voting-history">Recent Voting History</CardTitle>
      <Read of={queries.votes(userId)} skeleton="h-44 w-full">
        {(votes) =>
          votes.length === 0 ? (
            <p className="text-muted">No votes yet. Swipe a card to cast your first one.</p>
          ) : (
            <ul className="divide-y divide-line">
              {votes.slice(0, RECENT_VOTES).map((vote) => (
                <li
                  key={vote.id}
                  className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
                >
                  <p title={`${isolated(vote.project.name)} · ${vote.project.category}`} className="min-w-0 truncate">
                    <Link
                      href={paths.project(vote.project)}
                      className="font-semibold underline-offset-4 hover:underline"
                    >
                      <Name>{vote.project.name}</Name>
                    </Link>
                    <span className="text-faint"> · {vote.project.category}</span>
                  </p>
                  {vote.voteType === 'bullish' ? (
                    <Badge tone="bull">
                      <TrendingUp aria-hidden size={14} />
                      Bullish
                    </Badge>
                  ) : (
                    <Badge tone="bear">
                      <TrendingDown aria-hidden size={14} />
                      Bearish
                    </Badge>
                  )}
                  <span className="flex flex-wrap gap-x-3 text-sm text-faint">
                    <RelativeTime iso={vote.saidAt} />
                    {vote.when === null ? null : <span>{vote.when}</span>}
                    <ChangeLink vote={vote} />
                  </span>
                  <span className="text-end text-sm font-semibold text-muted">+{vote.tokensEarned} tokens</span>
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </Card>
  );
}
