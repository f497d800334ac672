import { useId, useRef, type ReactNode, type RefObject } from 'react';
import { useIsLive, useStore } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import * as styles from './deck.module.css';
import { ProjectCard } from './project-card.tsx';
import { useDeckKeys } from './use-deck-keys.ts';
import { type DeckMoves, useStack } from './use-stack.ts';
import { VoteControls } from './vote-controls.tsx';

interface SwipeDeckProps {
  moves: DeckMoves;
  name: string;
  regionRef: RefObject<HTMLElement | null>;
  /** Nothing can be done before the next sign-in. */
  isEnded?: boolean;
  /** Another card is coming to the top. */
  isDealing?: boolean;
  /** Something covers the stack. */
  isCovered?: boolean;
  /** Whether one more vote is accepted. */
  isOpen: boolean;
  /** Nothing is left to vote on: what is over the stack takes the place of the buttons, too. */
  isOver?: boolean;
  /** It is a part of a page, and not what fills the screen. */
  isPlaced?: boolean;
  labelOf?: (projectId: number) => string | undefined;
  /** Changes since the vote that a card asks about. */
  changedSinceOf?: (projectId: number) => string | undefined;
  /** Above, on top of, and below the stack. */
  above?: ReactNode;
  over: ReactNode;
  below: ReactNode;
  className?: string | undefined;
}

/** The stack of cards with its buttons (S2.12–S2.14): drag, arrow keys or buttons. For users and visitors. */
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
  const { queue } = useStore(moves.deck);
  const { cards, vote, skip } = useStack(stackRef, moves);
  const top = isCovered || isDealing ? undefined : queue[0];
  const isWorked = top !== undefined && !isEnded;
  // A panel in the place of the cards may be lower than they are.
  const drawn = isOver ? cards.filter(({ leaving }) => leaving) : cards;
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
          ? `${top.name} is on top. Arrow right votes bullish, arrow left bearish, arrow down skips.`
          : 'There is no card right now.'}
      </p>
      {props.above}
      <div
        ref={stackRef}
        data-live={useIsLive() || undefined}
        className={`${styles.stack} relative mx-auto w-full max-w-[26rem]`}
      >
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
