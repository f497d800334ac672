import type { ReactNode } from 'react';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { SnapCoin } from '../components/values/snap-coin.tsx';
import { GuestVoteList } from '../offline/guest-vote-list.tsx';
import type { WaitingVote } from '../offline/waiting-votes.ts';
import * as styles from './deck.module.css';

interface VotesPanelProps {
  title: string;
  children: ReactNode;
  votes: readonly WaitingVote[];
  /** Below the votes, which scroll where the screen is low. */
  actions: ReactNode;
}

export function VotesPanel({ title, children, votes, actions }: VotesPanelProps) {
  const counted = votes.filter(({ isCarried }) => !isCarried).length || votes.length;
  return (
    <div className="panel relative z-10 flex flex-1 flex-col overflow-hidden rounded-2xl shadow-float">
      <div className="grid min-h-0 content-start gap-2 overflow-y-auto p-4 sm:gap-3 sm:p-6">
        <div className="flex items-center justify-between gap-3">
          <h2 className="text-lg">{title}</h2>
          <p className="flex shrink-0 items-center gap-1.5 rounded-full border border-gold py-0.5 pe-2.5 ps-1 text-sm font-bold">
            <SnapCoin className="size-5" />+{counted * VOTE_REWARD_TOKENS} Snaps
          </p>
        </div>
        <p className={`${styles.aside} text-muted max-sm:text-sm`}>{children}</p>
        <GuestVoteList votes={votes} />
      </div>
      <div className="flex gap-2 border-t border-line p-4 *:flex-auto">{actions}</div>
    </div>
  );
}
