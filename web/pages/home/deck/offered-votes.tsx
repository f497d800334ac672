import { plural } from '#shared/numbers/plural.ts';
import { VotesPanel } from '../../../deck/votes-panel.tsx';
import { useStore } from '../../../lib/external-store.ts';
import { claimGuestVotes, isPostponed, useGuestVotes } from '../../../offline/guest-votes.ts';
import { sendWaiting } from '../../../offline/send-waiting.ts';
import type { WaitingVote } from '../../../offline/waiting-votes.ts';
import { Button } from '../../../ui/button.tsx';

const NONE: readonly WaitingVote[] = [];

/** The visitor's own first, then those that came with a link, so that no press counts both. */
export function useOfferedVotes(): readonly WaitingVote[] {
  const votes = useGuestVotes();
  const own = votes.filter(({ isCarried }) => !isCarried);
  if (useStore(isPostponed)) return NONE;
  return own.length > 0 ? own : votes;
}

function count(userId: number, votes: readonly WaitingVote[]): void {
  claimGuestVotes(userId, votes);
  void sendWaiting(userId);
}

export function OfferPanel({ votes }: { votes: readonly WaitingVote[] }) {
  const counted = plural(votes.length, 'vote');
  if (votes[0]?.isCarried)
    return (
      <VotesPanel title={`Count ${counted} from a link?`} votes={votes}>
        Count them only if you cast them. Anyone can write such a link.
      </VotesPanel>
    );
  return (
    <VotesPanel title={`Count your ${counted}?`} votes={votes}>
      You voted in this browser before you signed in.
    </VotesPanel>
  );
}

interface OfferButtonsProps {
  userId: number;
  votes: readonly WaitingVote[];
  onDecided: () => void;
}

export function OfferButtons({ userId, votes, onDecided }: OfferButtonsProps) {
  const decide = (act: () => void) => () => {
    act();
    onDecided();
  };
  return (
    <div className="flex justify-center gap-2">
      <Button onClick={decide(() => count(userId, votes))} className="px-4! whitespace-nowrap">
        {votes[0]?.isCarried ? 'Count' : 'Count my'} {plural(votes.length, 'vote')}
      </Button>
      <Button variant="ghost" onClick={decide(() => isPostponed.set(true))} className="px-4!">
        Later
      </Button>
    </div>
  );
}
