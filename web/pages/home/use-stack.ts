import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from '../../external-store.ts';
import type { Project } from '#shared/contract/types.ts';
import { session } from '../../session.ts';
import { callBack, flyOut, STILL, type Exit } from './card-flight.ts';
import { topCard, visibleCards, type VoteType } from './deck.ts';
import { attachSwipe } from './swipe.ts';
import type { Launch } from './swipe-math.ts';
import { canVote, deck, skipTopCard, voteOnTop } from './vote.ts';

interface LeavingCard {
  project: Project;
  exit: Exit;
}

/** A card as it is drawn, in the order of the document: those on their way out first. */
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

/** The cards that are drawn and what moves them; the deck itself is in vote.ts. */
export function useStack(stackRef: RefObject<HTMLElement | null>): Stack {
  const visible = visibleCards(useStore(deck));
  const [leaving, setLeaving] = useState<readonly LeavingCard[]>([]);
  const [sides, setSides] = useState<Readonly<Record<number, VoteType>>>({});

  /** Changes the deck and lets its top card fly; one synchronous draw, so that the card keeps its element on the way. */
  function send(exit: Exit, launch: Launch, change: () => boolean): boolean {
    const project = topCard(deck.get());
    if (!project) return false;
    keepFocus(cardOf(stackRef.current, project.id));
    const entry: LeavingCard = { project, exit };
    const taken = flushSync(() => {
      const isTaken = change();
      if (isTaken && !visibleCards(deck.get()).includes(project)) setLeaving((cards) => [...cards, entry]);
      if (isTaken && exit !== 'skip') setSides((known) => ({ ...known, [project.id]: exit }));
      return isTaken;
    });
    const card = cardOf(stackRef.current, project.id);
    if (!taken || !card?.dataset['leaving']) return taken;
    const forget = () => setLeaving((cards) => cards.filter((other) => other !== entry));
    // A flight that is called back rejects: then the card lies on the stack again.
    flyOut(card, exit, launch).finished.then(forget, forget);
    return taken;
  }

  const vote = (voteType: VoteType, launch = STILL) => send(voteType, launch, () => voteOnTop(voteType));
  const skip = () => void send('skip', STILL, () => skipTopCard() !== undefined);

  const voteRef = useRef(vote);
  useLayoutEffect(() => {
    voteRef.current = vote;
  });
  useEffect(() => {
    const stack = stackRef.current;
    if (!stack) return undefined;
    return attachSwipe(stack, {
      onSwipe: (voteType, launch) => voteRef.current(voteType, launch),
      canVote: () => canVote(session.get().user?.id ?? 0),
    });
  }, [stackRef]);

  const isVisible = ({ project }: LeavingCard) => visible.some(({ id }) => id === project.id);
  useLayoutEffect(() => {
    // A vote failed before its card was out of sight.
    for (const { project } of leaving.filter(isVisible)) {
      const card = cardOf(stackRef.current, project.id);
      if (card) callBack(card);
    }
  });

  const cards: DrawnCard[] = [
    ...leaving.filter((card) => !isVisible(card)).map(({ project, exit }) => ({ project, depth: null, leaving: exit })),
    ...visible.map((project, depth) => {
      const returned = depth === 0 ? sides[project.id] : undefined;
      return returned ? { project, depth, returned } : { project, depth };
    }),
  ];
  return { cards, vote, skip };
}

/** Focus on a link of a card that goes would be lost; the region of the cards takes it. */
function keepFocus(card: HTMLElement | null): void {
  if (card?.contains(document.activeElement)) card.closest<HTMLElement>('section')?.focus({ preventScroll: true });
}
