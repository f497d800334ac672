import { isolated } from '#shared/text/isolated.ts';
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { takeEarlyPress } from '../lib/early-press.ts';
import { useIsLive, useStore } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import * as styles from './deck.module.css';
import { EARLY_LAUNCH } from './card-flight.ts';
import { topCard } from './deck.ts';
import { type CardStar, ProjectCard } from './project-card.tsx';
import { useDeckKeys } from './use-deck-keys.ts';
import { type DeckMoves, useStack } from './use-stack.ts';
import { VoteControls } from './vote-controls.tsx';

interface SwipeDeckProps {
  moves: DeckMoves;
  name: string;
  regionRef: RefObject<HTMLElement | null>;
  isEnded?: boolean;
  isDealing?: boolean;
  isCovered?: boolean;
  isOpen: boolean;
  isOver?: boolean;
  isPlaced?: boolean;
  labelOf?: (projectId: number) => string | undefined;
  changedSinceOf?: (projectId: number) => string | undefined;
  Star?: CardStar;
  above?: ReactNode;
  over: ReactNode;
  below: ReactNode;
  className?: string | undefined;
}

export function SwipeDeck(props: SwipeDeckProps) {
  const {
    moves,
    name,
    regionRef,
    isEnded = false,
    isDealing = false,
    isCovered = false,
    isOpen,
    isOver = false,
  } = props;
  const stackRef = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const { loaded, queue } = useStore(moves.deck);
  const { cards, vote, skip } = useStack(stackRef, moves);
  const top = isCovered || isDealing ? undefined : queue[0];
  const isWorked = top !== undefined && !isEnded;
  const drawn = isOver ? cards.filter(({ leaving }) => leaving) : cards;
  const isDealt = loaded && !isDealing;
  useEffect(() => {
    if (!isDealt) return;
    takeEarlyPress(({ act, card }) => {
      if (topCard(moves.deck.get())?.id !== card) return;
      if (act === 'skip') skip();
      else vote(act, EARLY_LAUNCH[act]);
    });
  }, [isDealt, moves, vote, skip]);
  useDeckKeys(regionRef, { onVote: vote, onSkip: skip, onUndo: moves.undo, enabled: isWorked });
  return (
    <section
      ref={regionRef}
      aria-label={name}
      aria-describedby={hintId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- worked by arrow keys, so it takes the focus
      tabIndex={0}
      data-placed={props.isPlaced || undefined}
      data-over={isOver || undefined}
      className={cn(styles.deck, props.className)}
    >
      <p id={hintId} className="sr-only">
        {top
          ? `${isolated(top.name)} is on top. Arrow right votes bullish, arrow left bearish, arrow down skips.`
          : 'There is no card right now.'}
      </p>
      <div className={styles.above}>{props.above}</div>
      <div ref={stackRef} data-live={useIsLive() || undefined} className={`${styles.stack} relative mx-auto w-full`}>
        {(isDealing ? [] : drawn).map(({ project, depth, leaving, returned }) => (
          <ProjectCard
            key={project.id}
            project={project}
            depth={depth}
            leaving={leaving}
            returned={returned}
            label={props.labelOf?.(project.id)}
            changedSince={props.changedSinceOf?.(project.id)}
            isCovered={isCovered}
            isLazy={props.isPlaced ?? false}
            Star={props.Star}
          />
        ))}
        {props.over}
      </div>
      <VoteControls
        hasCard={isWorked}
        canVote={isWorked && isOpen}
        onVote={vote}
        onSkip={skip}
        isOver={isOver}
        below={props.below}
      />
    </section>
  );
}
