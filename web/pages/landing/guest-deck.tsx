import { Layers, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { GUEST_CARDS, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { plural } from '#shared/plural.ts';
import { CountVotesButton } from '../../components/session/count-votes-button.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import * as styles from '../../deck/deck.module.css';
import { LoadingCard } from '../../deck/loading-card.tsx';
import { SwipeDeck } from '../../deck/swipe-deck.tsx';
import { KeyHints } from '../../deck/vote-controls.tsx';
import { VotesPanel } from '../../deck/votes-panel.tsx';
import { useStore } from '../../lib/external-store.ts';
import { useGuestVotes } from '../../offline/guest-votes.ts';
import type { WaitingVote } from '../../offline/waiting-votes.ts';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import { deck, MOVES, readGuestCards, reading } from './guest.ts';

function NewestVote({ vote }: { vote: WaitingVote | undefined }) {
  return (
    <div className="mx-auto mb-1.5 flex h-7.5 w-full max-w-(--deck-width) items-center justify-between gap-3 px-1 text-sm text-muted">
      {vote ? (
        <span key="vote" title={vote.project.name} className="truncate">
          {VOTE_LOOKS[vote.voteType].label} on <b className="text-text">{vote.project.name}</b>
        </span>
      ) : (
        <span key="invitation">Your turn. No wallet needed yet.</span>
      )}
      {vote ? (
        <button
          type="button"
          aria-label={`Undo your vote on ${vote.project.name}`}
          aria-keyshortcuts="Z"
          onClick={() => MOVES.undo()}
          className="-my-2 inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3 font-bold text-link hover:underline"
        >
          <Undo2 aria-hidden size={15} strokeWidth={3} />
          Undo
        </button>
      ) : null}
    </div>
  );
}

export function GuestDeck() {
  const regionRef = useRef<HTMLElement>(null);
  const { loaded, queue } = useStore(deck);
  const isFailed = useStore(reading) === 'failed';
  const votes = useGuestVotes();
  useEffect(() => void readGuestCards(), []);
  const isDone = votes.length >= GUEST_CARDS || (loaded && queue.length === 0 && votes.length > 0);
  const over = (
    <>
      {loaded || isFailed || isDone ? null : <LoadingCard />}
      {isFailed && !isDone ? (
        <ErrorState
          error={null}
          fallback="The cards could not be loaded"
          onRetry={() => void readGuestCards()}
          className="panel absolute inset-0 grid place-items-center rounded-2xl"
        />
      ) : null}
      {loaded && queue.length === 0 && !isDone ? (
        <div className="panel absolute inset-0 grid place-items-center rounded-2xl border-dashed">
          <EmptyState icon={<Layers size={30} />} title="No cards yet">
            List your project and be the first to be swiped.
          </EmptyState>
        </div>
      ) : null}
      {isDone ? (
        <VotesPanel title={`Your ${plural(votes.length, 'vote')}`} votes={votes}>
          They wait in this browser. Sign in, and each one earns {VOTE_REWARD_TOKENS} Snaps.
        </VotesPanel>
      ) : null}
    </>
  );
  return (
    <SwipeDeck
      moves={MOVES}
      name="Cards to try"
      regionRef={regionRef}
      isPlaced
      isCovered={isDone}
      isOpen
      isOver={isDone}
      above={isDone ? null : <NewestVote vote={votes.at(-1)} />}
      over={over}
      below={
        votes.length > 0 ? (
          <CountVotesButton count={votes.length} />
        ) : (
          <div className={styles.hints}>
            <KeyHints hasCard={queue.length > 0} />
          </div>
        )
      }
      className="rounded-2xl"
    />
  );
}
