import { Store, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { GUEST_CARDS, REWARD_POPUP_MS } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { CountVotesButton } from '../../components/session/count-votes-button.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { LoadingCard } from '../../deck/loading-card.tsx';
import { SwipeDeck } from '../../deck/swipe-deck.tsx';
import { KeyHints } from '../../deck/vote-controls.tsx';
import { VotesPanel } from '../../deck/votes-panel.tsx';
import { useStore } from '../../lib/external-store.ts';
import { useGuestVotes } from '../../offline/guest-votes.ts';
import type { WaitingVote } from '../../offline/waiting-votes.ts';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import * as landing from './landing.module.css';
import { deck, MOVES, readGuestCards, reading, waitingReward } from './guest.ts';

/** What the buttons are for, then the newest vote and what to do with it. */
function Below({ votes, hasCard }: { votes: readonly WaitingVote[]; hasCard: boolean }) {
  const vote = votes.findLast(({ isCarried }) => !isCarried);
  return (
    <>
      {vote ? (
        <div className="flex max-w-full min-w-0 items-center gap-2 justify-self-end text-sm text-muted">
          <span title={vote.project.name} className="truncate">
            {VOTE_LOOKS[vote.voteType].label} on{' '}
            <b dir="auto" className="text-text">
              {vote.project.name}
            </b>
          </span>
          <button
            type="button"
            aria-label={`Undo your vote on ${vote.project.name}`}
            aria-keyshortcuts="Z"
            onClick={() => MOVES.undo()}
            className="-my-2 inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-2 font-bold text-link hover:underline"
          >
            <Undo2 aria-hidden size={15} strokeWidth={3} />
            Undo
          </button>
        </div>
      ) : (
        <p className="justify-self-end text-center leading-tight text-balance">
          Right if you'd back it, left if not. No wallet needed.
        </p>
      )}
      <div className="justify-self-start">
        {votes.length > 0 ? <CountVotesButton votes={votes} /> : <KeyHints hasCard={hasCard} />}
      </div>
    </>
  );
}

function WaitingReward() {
  const shown = useStore(waitingReward);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => waitingReward.set(null), REWARD_POPUP_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-6 z-20 grid justify-items-center">
      <p
        key={shown.tokens}
        className={`${landing.waiting} display flex items-center gap-2 rounded-full border-2 border-gold bg-overlay py-2 pe-5 ps-3 text-lg whitespace-nowrap shadow-float`}
      >
        <SnapCoin className="size-7" />+{shown.tokens} Snaps waiting
      </p>
    </div>
  );
}

/** Every vote on a project is another person's, so one project alone proves how many have voted. */
const othersOn = (votes: readonly WaitingVote[]): number =>
  Math.max(0, ...votes.map(({ project }) => project.totalVotes));

function titleOf(own: number, all: number): string {
  if (own === 0) return `${plural(all, 'vote')} from a link`;
  return own < all ? plural(all, 'vote') : `Your ${plural(all, 'vote')}`;
}

function Votes({ votes }: { votes: readonly WaitingVote[] }) {
  const own = votes.filter(({ isCarried }) => !isCarried);
  const others = othersOn(own);
  return (
    <VotesPanel title={titleOf(own.length, votes.length)} votes={votes} actions={<CountVotesButton votes={votes} />}>
      {own.length === 0
        ? 'Sign in, and switch on those you cast.'
        : others > 0
          ? `Sign in to see how ${plural(others, 'other')} voted.`
          : 'Sign in to count them.'}
    </VotesPanel>
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
          <EmptyState icon={<Store size={30} />} title="No cards yet">
            List your project and be the first to be swiped.
          </EmptyState>
        </div>
      ) : null}
      {isDone ? <Votes votes={votes} /> : <WaitingReward />}
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
      over={over}
      below={
        isDone ? null : (
          <div className={landing.below}>
            <Below votes={votes} hasCard={queue.length > 0} />
          </div>
        )
      }
      className="rounded-2xl"
    />
  );
}
