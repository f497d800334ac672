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

interface OfferProps {
  userId: number;
  votes: readonly WaitingVote[];
  onDecided: () => void;
}

export function OfferPanel(props: OfferProps) {
  const { votes } = props;
  const counted = plural(votes.length, 'vote');
  const actions = <OfferButtons {...props} />;
  if (votes[0]?.isCarried)
    return (
      <VotesPanel title={`Count ${counted} from a link?`} votes={votes} actions={actions}>
        Count them only if you cast them. Anyone can write such a link.
      </VotesPanel>
    );
  return (
    <VotesPanel title={`Count your ${counted}?`} votes={votes} actions={actions}>
      You voted in this browser before you signed in.
    </VotesPanel>
  );
}

function OfferButtons({ userId, votes, onDecided }: OfferProps) {
  const decide = (act: () => void) => () => {
    act();
    onDecided();
  };
  return (
    <>
      <Button onClick={decide(() => count(userId, votes))} className="px-4! whitespace-nowrap">
        {votes[0]?.isCarried ? 'Count' : 'Count my'} {plural(votes.length, 'vote')}
      </Button>
      <Button variant="ghost" onClick={decide(() => isPostponed.set(true))} className="px-4!">
        Later
      </Button>
    </>
  );
}
