import { isolated } from '#shared/text/isolated.ts';
import { X } from 'lucide-react';
import { TicketCard } from '../components/ticket/ticket-card.tsx';
import { announce } from '../lib/announce.ts';
import { IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { VOTE_LOOKS } from '../voting/vote-looks.ts';
import { dropWaiting, type WaitingVote } from './waiting-votes.ts';

export function takeBackGuestVote(vote: WaitingVote): void {
  dropWaiting(vote);
  announce(`Took back your vote on ${isolated(vote.project.name)}`);
}

function Row({ vote, isFixed }: { vote: WaitingVote; isFixed: boolean }) {
  const { project, voteType, isCarried } = vote;
  return (
    <li className="flex min-h-12 items-center gap-3">
      <TicketCard
        face={{ ...project, voteType }}
        width={48}
        eager
        className={cn('my-1 shrink-0', isFixed ? 'w-8' : 'w-12 [@media(height<38rem)]:w-9')}
      />
      <span className="grid min-w-0 flex-1 leading-tight">
        <span dir="auto" title={project.name} className="truncate font-semibold">
          {project.name}
        </span>
        {isCarried && !isFixed ? <span className="truncate text-xs text-muted">came with this link</span> : null}
      </span>
      <span
        className={cn(
          'shrink-0 text-sm font-semibold text-muted',
          isFixed || 'max-[22rem]:sr-only [@media(height<30rem)]:sr-only',
        )}
      >
        {VOTE_LOOKS[voteType].label}
      </span>
      {isFixed ? null : (
        <IconButton label={`Take back your vote on ${isolated(project.name)}`} onClick={() => takeBackGuestVote(vote)}>
          <X aria-hidden size={18} />
        </IconButton>
      )}
    </li>
  );
}

export function GuestVoteList({ votes, isFixed = false }: { votes: readonly WaitingVote[]; isFixed?: boolean }) {
  return (
    <ul aria-label="Your votes" className="grid grid-cols-1 [@media(height<30rem)]:sm:grid-cols-3">
      {votes.map((vote) => (
        <Row key={vote.project.id} vote={vote} isFixed={isFixed} />
      ))}
    </ul>
  );
}
