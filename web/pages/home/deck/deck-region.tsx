import { useMemo, useRef, useState } from 'react';
import { ErrorState } from '../../../components/states/error-state.tsx';
import * as styles from '../../../deck/deck.module.css';
import { LoadingCard } from '../../../deck/loading-card.tsx';
import { FollowStar } from '../../../components/follow/follow-star.tsx';
import { SwipeDeck } from '../../../deck/swipe-deck.tsx';
import type { DeckMoves } from '../../../deck/use-stack.ts';
import { KeyHints } from '../../../deck/vote-controls.tsx';
import { useIsLive, useStore } from '../../../lib/external-store.ts';
import { session } from '../../../lib/session.ts';
import { LostLine } from '../../../voting/lost-line.tsx';
import { type LostVote, useLostVote } from '../../../voting/lost-votes.ts';
import { undoLastVote } from '../../../voting/undo.ts';
import { useVotingStatus } from '../../../voting/use-voting-status.ts';
import { NewestReveal } from '../../../voting/reveal.tsx';
import { cardLabel, changedSince } from '../daily/daily.ts';
import { LimitCard } from '../daily/limit-card.tsx';
import { SummaryCard } from '../daily/summary-card.tsx';
import { TodayRow } from '../daily/today-row.tsx';
import { useDaily } from '../daily/use-daily.ts';
import { returnCard, useReturn } from '../daily/use-return.ts';
import { OfferPanel, useOfferedVotes } from './offered-votes.tsx';
import { useDealtCard } from './use-dealt-card.ts';
import { useDeckTop } from './use-deck-top.ts';
import { useFeed } from './use-feed.ts';
import { canVote, deck, isAskedAgain, skipTopCard, voteOnTop } from './vote.ts';
import { Layers } from 'lucide-react';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { Button } from '../../../ui/button.tsx';

const MOVES: DeckMoves = {
  deck,
  canVote: () => canVote(session.get().user?.id ?? 0),
  vote: voteOnTop,
  skip: skipTopCard,
  undo: undoLastVote,
};

function NoCards({ isLoading, onLoad }: { isLoading: boolean; onLoad: () => void }) {
  return (
    <div className="panel grid min-h-72 flex-1 place-items-center overflow-y-auto rounded-2xl border-dashed">
      <EmptyState
        icon={<Layers size={30} />}
        title="All projects rated!"
        action={
          <Button onClick={onLoad} busy={isLoading ? 'Loading...' : false} className="mt-2">
            Load New Projects
          </Button>
        }
      >
        You&apos;ve voted on all available projects. Check back later or invite your friends to earn more!
      </EmptyState>
    </div>
  );
}

/** The card flies as after any other press. */
function pressVote(region: HTMLElement | null, { voteType }: LostVote): void {
  region?.focus({ preventScroll: true });
  region?.querySelector<HTMLElement>(`[data-vote="${voteType}"]`)?.click();
}

interface DeckRegionProps {
  userId: number;
  isEnded: boolean;
  className?: string;
}

export function DeckRegion({ userId, isEnded, className }: DeckRegionProps) {
  const regionRef = useRef<HTMLElement>(null);
  const feed = useFeed(userId);
  const allowance = useVotingStatus(userId);
  const { loaded, queue } = useStore(deck);
  const daily = useDaily(userId);
  const offered = useOfferedVotes();
  const isOffering = offered.length > 0 && !isEnded;
  const isDealing = useDealtCard(userId);
  const isLimited = allowance.phase === 'limited' && !isEnded;
  const isOpen = allowance.phase === 'open' || isAskedAgain(userId, queue[0]);
  const endsAt = allowance.status?.periodEndsAt;
  const [closedUntil, setClosedUntil] = useState<string | null>();
  const isLimitShown = useIsLive() && isLimited && !isOpen && !isDealing && queue.length > 0 && closedUntil !== endsAt;
  const back = useReturn(userId, daily);
  const isReturn = back.calls !== undefined && !isOffering && !isDealing && !isEnded && !isLimitShown;
  const isEmpty = loaded && queue.length === 0 && !feed.isRefilling && !isDealing;
  const isOver = daily.isSummaryOpen || isLimitShown || isOffering || isReturn || isEmpty;
  useDeckTop(regionRef);
  const isLoading = queue.length === 0 && (!loaded || feed.isRefilling) && !feed.error && !isEnded;
  const hasCard = queue.length > 0 && !isOver && !isDealing;
  const lost = useLostVote(userId, queue[0]?.id);
  const shownLost = hasCard && isOpen && !isEnded ? lost : undefined;
  const below = useMemo(
    () => (
      <>
        <div className={styles.hints}>{isEnded || isLimited || shownLost ? null : <KeyHints hasCard={hasCard} />}</div>
        {isEnded || shownLost ? null : <NewestReveal userId={userId} />}
        {shownLost ? <LostLine vote={shownLost} onRetry={() => pressVote(regionRef.current, shownLost)} /> : null}
      </>
    ),
    [userId, isEnded, hasCard, isLimited, shownLost],
  );
  const over = (
    <>
      {isDealing || isLoading ? <LoadingCard /> : null}
      {isEmpty && !daily.isSummaryOpen && !isOffering && !isReturn ? (
        <NoCards isLoading={feed.isLoadingNew} onLoad={() => void feed.loadNew()} />
      ) : null}
      {isOffering ? (
        <OfferPanel
          userId={userId}
          votes={offered}
          onDecided={() => regionRef.current?.focus({ preventScroll: true })}
        />
      ) : null}
      {daily.isSummaryOpen && daily.data && !isOffering ? (
        <SummaryCard
          userId={userId}
          daily={daily.data}
          allowance={allowance}
          isLast={queue.length === 0}
          onClose={daily.close}
        />
      ) : null}
      {isLimitShown && allowance.status && !daily.isSummaryOpen && !isOffering ? (
        <LimitCard
          userId={userId}
          status={allowance.status}
          cards={daily.cards}
          onClose={() => {
            setClosedUntil(endsAt);
            regionRef.current?.focus({ preventScroll: true });
          }}
        />
      ) : null}
      {isReturn && back.calls ? (
        <returnCard.Part calls={back.calls} regionRef={regionRef} onClose={back.close} />
      ) : null}
      {feed.error && !isEnded ? (
        <ErrorState
          error={feed.error}
          onRetry={() => void feed.retry()}
          retrying={feed.isRetrying}
          className="panel absolute inset-0 grid place-items-center rounded-2xl"
        />
      ) : null}
    </>
  );
  return (
    <SwipeDeck
      moves={MOVES}
      name="Project cards"
      regionRef={regionRef}
      isEnded={isEnded}
      isDealing={isDealing}
      isCovered={isOver}
      isOpen={isOpen}
      isOver={isOver}
      labelOf={(projectId) => cardLabel(daily.data, projectId)}
      changedSinceOf={(projectId) => changedSince(daily.data, projectId)}
      Star={FollowStar}
      above={isOver ? null : <TodayRow spots={daily.spots} done={daily.done} isEnded={isEnded} allowance={allowance} />}
      over={over}
      below={isOffering ? null : below}
      className={className}
    />
  );
}
