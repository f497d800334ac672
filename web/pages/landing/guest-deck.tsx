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
import { useStore } from '../../lib/external-store.ts';
import { GuestVoteList } from '../../offline/guest-vote-list.tsx';
import { useGuestVotes } from '../../offline/guest-votes.ts';
import type { WaitingVote } from '../../offline/waiting-votes.ts';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import { deck, MOVES, readGuestCards, reading } from './guest.ts';

/** In the place of the cards, once there is nothing more to swipe. */
function VotesPanel({ votes }: { votes: readonly WaitingVote[] }) {
  return (
    <div className="panel relative z-10 grid flex-1 content-start gap-2 overflow-y-auto rounded-2xl p-4 sm:gap-3 sm:p-6">
      <h2 className="text-xl">Your {plural(votes.length, 'vote')}</h2>
      <p className={`${styles.aside} text-muted max-sm:text-sm`}>
        They wait in this browser. Sign in, and each one earns {VOTE_REWARD_TOKENS} Snaps.
      </p>
      <GuestVoteList votes={votes} />
    </div>
  );
}

/** The newest vote with the way back, in one line that is always as high. */
function NewestVote({ vote }: { vote: WaitingVote | undefined }) {
  return (
    <div className="mx-auto mb-1.5 flex h-7.5 w-full max-w-[26rem] items-center justify-between gap-3 px-1 text-sm text-muted">
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

/** Three real cards to swipe before signing in (R76), with the code of the users' deck. */
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
      {isDone ? <VotesPanel votes={votes} /> : null}
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
