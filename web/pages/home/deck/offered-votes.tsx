import { plural } from '#shared/plural.ts';
import { useStore } from '../../../lib/external-store.ts';
import { connection } from '../../../offline/connection.ts';
import { claimGuestVotes, isPostponed, useGuestVotes } from '../../../offline/guest-votes.ts';
import { sendWaiting } from '../../../offline/send-waiting.ts';
import type { WaitingVote } from '../../../offline/waiting-votes.ts';
import { Button } from '../../../ui/button.tsx';

const NONE: readonly WaitingVote[] = [];

export function useOfferedVotes(): readonly WaitingVote[] {
  const votes = useGuestVotes();
  return useStore(isPostponed) ? NONE : votes;
}

function count(userId: number): void {
  claimGuestVotes(userId);
  if (connection.get() !== 'offline') void sendWaiting(userId);
}

interface OfferButtonsProps {
  userId: number;
  votes: number;
  onDecided: () => void;
}

export function OfferButtons({ userId, votes, onDecided }: OfferButtonsProps) {
  const decide = (act: () => void) => () => {
    act();
    onDecided();
  };
  return (
    <div className="flex justify-center gap-2">
      <Button onClick={decide(() => count(userId))} className="px-4! whitespace-nowrap">
        Count my {plural(votes, 'vote')}
      </Button>
      <Button variant="ghost" onClick={decide(() => isPostponed.set(true))} className="px-4!">
        Later
      </Button>
    </div>
  );
}
