import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { STACK_CARDS } from '#shared/constants.ts';
import { type ExternalStore, useStore } from '../lib/external-store.ts';
import type { Project } from '#shared/contract/types.ts';
import { callBack, flyOut, widthsOf, STILL, type Exit } from './card-flight.ts';
import { topCard, visibleCards, type Deck, type VoteType } from './deck.ts';
import { attachSwipe } from './swipe.ts';
import type { Launch } from './swipe-math.ts';
import { useLater } from './use-later.ts';

export interface DeckMoves {
  deck: ExternalStore<Deck>;
  canVote: () => boolean;
  vote: (voteType: VoteType) => boolean;
  skip: () => Project | undefined;
  undo: () => boolean;
}

interface LeavingCard {
  project: Project;
  exit: Exit;
}

export interface DrawnCard {
  project: Project;
  depth: number | null;
  leaving?: Exit;
  returned?: VoteType;
}

const cardOf = (stack: HTMLElement | null, projectId: number) =>
  stack?.querySelector<HTMLElement>(`[data-project="${projectId}"]`) ?? null;

export interface Stack {
  cards: DrawnCard[];
  vote: (vote: VoteType, launch?: Launch) => boolean;
  skip: () => void;
}

export function useStack(stackRef: RefObject<HTMLElement | null>, moves: DeckMoves): Stack {
  const { deck } = moves;
  const { queue } = useStore(deck);
  const visible = queue.slice(0, STACK_CARDS);
  const knownIds = useLater(visible.map(({ id }) => id).join(' '), 2).split(' ');
  // A new card comes in at the back, hidden by the others: it is drawn after the frame in which the top card leaves.
  const drawn = visible.filter((project, depth) => depth < STACK_CARDS - 1 || knownIds.includes(String(project.id)));
  const [leaving, setLeaving] = useState<readonly LeavingCard[]>([]);
  const [sides, setSides] = useState<Readonly<Record<number, VoteType>>>({});

  function send(exit: Exit, launch: Launch, change: () => boolean): boolean {
    const project = topCard(deck.get());
    const card = project && cardOf(stackRef.current, project.id);
    if (!project || !card) return false;
    const widths = widthsOf(card);
    keepFocus(card);
    if (!change()) return false;
    if (exit !== 'skip') setSides((sides) => ({ ...sides, [project.id]: exit }));
    if (visibleCards(deck.get()).includes(project)) return true;
    const entry: LeavingCard = { project, exit };
    setLeaving((cards) => [...cards, entry]);
    const removeLeaving = () => setLeaving((cards) => cards.filter((other) => other !== entry));
    flyOut(card, exit, launch, widths).finished.then(removeLeaving, removeLeaving);
    return true;
  }

  // They read what they need when they are called, so that the first ones stay good.
  const [actions] = useState(() => ({
    vote: (voteType: VoteType, launch = STILL) => send(voteType, launch, () => moves.vote(voteType)),
    skip: () => void send('skip', STILL, () => moves.skip() !== undefined),
  }));
  useEffect(() => {
    const stack = stackRef.current;
    if (!stack) return undefined;
    return attachSwipe(stack, {
      onSwipe: (voteType, launch) => actions.vote(voteType, launch),
      canVote: () => moves.canVote(),
    });
  }, [stackRef, actions, moves]);

  const isVisible = ({ project }: LeavingCard) => visible.some(({ id }) => id === project.id);
  useLayoutEffect(() => {
    for (const { project } of leaving.filter(isVisible)) {
      const card = cardOf(stackRef.current, project.id);
      if (card) callBack(card);
    }
  });

  const cards: DrawnCard[] = [
    ...leaving.filter((card) => !isVisible(card)).map(({ project, exit }) => ({ project, depth: null, leaving: exit })),
    ...drawn.map((project, depth) => {
      const returned = depth === 0 ? sides[project.id] : undefined;
      return returned ? { project, depth, returned } : { project, depth };
    }),
  ];
  return { cards, ...actions };
}

function keepFocus(card: HTMLElement | null): void {
  if (card?.contains(document.activeElement)) card.closest<HTMLElement>('section')?.focus({ preventScroll: true });
}
