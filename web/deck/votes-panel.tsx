import type { ReactNode } from 'react';
import { GuestVoteList } from '../offline/guest-vote-list.tsx';
import type { WaitingVote } from '../offline/waiting-votes.ts';
import * as styles from './deck.module.css';

interface VotesPanelProps {
  title: string;
  children: ReactNode;
  votes: readonly WaitingVote[];
}

export function VotesPanel({ title, children, votes }: VotesPanelProps) {
  return (
    <div className="panel relative z-10 grid flex-1 content-start gap-2 overflow-y-auto rounded-2xl p-4 sm:gap-3 sm:p-6">
      <h2 className="text-xl">{title}</h2>
      <p className={`${styles.aside} text-muted max-sm:text-sm`}>{children}</p>
      <GuestVoteList votes={votes} />
    </div>
  );
}
