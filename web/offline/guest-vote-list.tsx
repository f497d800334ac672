import { isolated } from '#shared/text/isolated.ts';
import { X } from 'lucide-react';
import { announce } from '../lib/announce.ts';
import { IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { VOTE_LOOKS } from '../voting/vote-looks.ts';
import { dropWaiting, type WaitingVote } from './waiting-votes.ts';

const LOOKS = {
  bullish: 'border-bull bg-bull-soft text-bull',
  bearish: 'border-bear bg-bear-soft text-bear',
} as const;

export function takeBackGuestVote(vote: WaitingVote): void {
  dropWaiting(vote);
  announce(`Took back your vote on ${isolated(vote.project.name)}`);
}

function Row({ vote, isFixed }: { vote: WaitingVote; isFixed: boolean }) {
  const { project, voteType, isCarried } = vote;
  const { label, Icon } = VOTE_LOOKS[voteType];
  return (
    <li className={cn('flex items-center gap-3', isFixed ? 'min-h-9' : 'min-h-12')}>
      <span
        aria-hidden
        className={cn(
          'grid shrink-0 place-items-center rounded-md border',
          isFixed ? 'size-7' : 'size-9',
          LOOKS[voteType],
        )}
      >
        <Icon size={isFixed ? 16 : 19} strokeWidth={2.5} />
      </span>
      <span className="grid min-w-0 flex-1 leading-tight">
        <span dir="auto" title={project.name} className="truncate font-semibold">
          {project.name}
        </span>
        {isCarried && !isFixed ? <span className="truncate text-xs text-muted">came with this link</span> : null}
      </span>
      <span className={cn('shrink-0 text-sm font-semibold text-muted', isFixed || 'max-[22rem]:sr-only')}>{label}</span>
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
    <ul aria-label="Your votes" className="grid grid-cols-1">
      {votes.map((vote) => (
        <Row key={vote.project.id} vote={vote} isFixed={isFixed} />
      ))}
    </ul>
  );
}
