import { useId, useRef } from 'react';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useIsLive, useStore } from '../../../lib/external-store.ts';
import { cn } from '../../../ui/class-names.ts';
import { cardLabel, changedSince } from '../daily/daily.ts';
import { SummaryCard } from '../daily/summary-card.tsx';
import { TodayRow } from '../daily/today-row.tsx';
import { useDaily } from '../daily/use-daily.ts';
import * as styles from './deck.module.css';
import { LoadingCard, NoCards } from './deck-states.tsx';
import { ProjectCard } from './project-card.tsx';
import { useDealtCard } from './use-dealt-card.ts';
import { useDeckKeys } from './use-deck-keys.ts';
import { useDeckTop } from './use-deck-top.ts';
import { useFeed } from './use-feed.ts';
import { useStack } from './use-stack.ts';
import { useVotingStatus } from '../../../voting/use-voting-status.ts';
import { undoLastVote } from '../../../voting/last-vote.ts';
import { takeBackWaiting } from '../../../offline/send-waiting.ts';
import { deck } from './vote.ts';
import { VoteControls } from './vote-controls.tsx';

/** The newest vote, whether it counts already or waits for the network. */
const takeBack = (): boolean => undoLastVote() || takeBackWaiting();

interface DeckRegionProps {
  userId: number;
  /** The session has ended elsewhere: the cards keep their places and wait for the next sign-in. */
  isEnded: boolean;
  className?: string;
}

/** The stack of cards with its buttons (S2.12–S2.14): drag, arrow keys or buttons. */
export function DeckRegion({ userId, isEnded, className }: DeckRegionProps) {
  const regionRef = useRef<HTMLElement>(null);
  const stackRef = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const feed = useFeed(userId);
  const allowance = useVotingStatus(userId);
  const { loaded, queue } = useStore(deck);
  const { cards, vote, skip } = useStack(stackRef);
  const daily = useDaily(userId);
  const isCovered = daily.isSummaryOpen;
  const isDealing = useDealtCard(userId);
  const hasCard = queue.length > 0 && !isCovered && !isDealing;
  useDeckTop(regionRef);
  useDeckKeys(regionRef, { onVote: vote, onSkip: skip, onUndo: takeBack, enabled: hasCard && !isEnded });
  const isLoading = queue.length === 0 && (!loaded || feed.isRefilling) && !feed.error && !isEnded;
  const top = hasCard ? queue[0] : undefined;

  return (
    <section
      ref={regionRef}
      aria-label="Project cards"
      aria-describedby={hintId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- worked by arrow keys, so it takes the focus
      tabIndex={0}
      className={cn(styles.deck, className)}
    >
      <p id={hintId} className="sr-only">
        {top
          ? `${top.name} is on top. Arrow right votes bullish, arrow left bearish, arrow down skips.`
          : 'There is no card right now.'}
      </p>
      <TodayRow spots={daily.spots} done={daily.done} isOver={daily.isOver} isEnded={isEnded} allowance={allowance} />
      <div
        ref={stackRef}
        data-live={useIsLive() || undefined}
        className={`${styles.stack} relative mx-auto w-full max-w-[26rem]`}
      >
        {(isDealing ? [] : cards).map(({ project, depth, leaving, returned }) => (
          <ProjectCard
            key={project.id}
            project={project}
            depth={depth}
            leaving={leaving}
            returned={returned}
            label={cardLabel(daily.data, project.id)}
            changedSince={changedSince(daily.data, project.id)}
            isCovered={isCovered}
          />
        ))}
        {isDealing || isLoading ? <LoadingCard /> : null}
        {loaded && queue.length === 0 && !feed.isRefilling && !isDealing ? (
          <NoCards isLoading={feed.isLoadingNew} isLastDeck={feed.isLastDeck} onLoad={() => void feed.loadNew()} />
        ) : null}
        {isCovered && daily.data ? (
          <SummaryCard
            daily={daily.data}
            skipped={daily.spots.filter((state) => state === 'skipped').length}
            allowance={allowance}
            onClose={daily.close}
          />
        ) : null}
        {feed.error && !isEnded ? (
          <ErrorState
            error={feed.error}
            onRetry={() => void feed.retry()}
            retrying={feed.isRetrying}
            className="panel absolute inset-0 grid place-items-center rounded-2xl"
          />
        ) : null}
      </div>
      <VoteControls hasCard={hasCard} isEnded={isEnded} allowance={allowance} onVote={vote} onSkip={skip} />
    </section>
  );
}
