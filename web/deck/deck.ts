import { FEED_LIMIT, STACK_CARDS, VOTE_LOCK_MS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { isCounted, type Outcome } from '../voting/outcome.ts';

export type { VoteType } from '../voting/vote-type.ts';

export interface Deck {
  userId: number;
  loaded: boolean;
  /** Cards to come, the top one first; skipped ones are behind all others. */
  queue: readonly Project[];
  skippedIds: ReadonlySet<number>;
  pending: readonly Project[];
  /** Cards whose votes do not count yet, in the order of the votes: pending ones, and ones that returned. */
  castIds: readonly number[];
  /** Counted votes. A feed that was asked for before one was counted must not bring its card back. */
  votedIds: ReadonlySet<number>;
  /** No vote is accepted before this time (S5.2); milliseconds of the same clock as `takeTop` gets. */
  lockedUntilMs: number;
}

export function emptyDeck(userId: number): Deck {
  return {
    userId,
    loaded: false,
    queue: [],
    skippedIds: new Set(),
    pending: [],
    castIds: [],
    votedIds: new Set(),
    lockedUntilMs: 0,
  };
}

const has = (projects: readonly Project[], id: number) => projects.some((project) => project.id === id);
const without = (projects: readonly Project[], id: number) => projects.filter((project) => project.id !== id);
const lacking = (ids: ReadonlySet<number>, id: number) => new Set([...ids].filter((other) => other !== id));
const sameItems = <T>(a: readonly T[], b: readonly T[]) => a.length === b.length && a.every((item, i) => item === b[i]);

export const visibleCards = (deck: Deck): readonly Project[] => deck.queue.slice(0, STACK_CARDS);
export const topCard = (deck: Deck): Project | undefined => deck.queue[0];

const takeOff = (deck: Deck, id: number): Deck => ({
  ...deck,
  queue: without(deck.queue, id),
  skippedIds: lacking(deck.skippedIds, id),
});

function dealt(feed: readonly Project[], first: readonly Project[], isWholeFeed: boolean): Project[] {
  const newer = new Map(feed.map((project) => [project.id, project]));
  const daily = first.flatMap((project) => newer.get(project.id) ?? (isWholeFeed ? [] : project));
  return [...daily, ...feed.filter(({ id }) => !has(daily, id))];
}

/** Cards keep their places; new ones come before skipped ones. Cards that the feed lacks go, unless it is a full page (R49). */
export function mergeFeed(
  deck: Deck,
  feed: readonly Project[],
  limit = FEED_LIMIT,
  first: readonly Project[] = [],
): Deck {
  const isWholeFeed = feed.length < limit;
  const cards = dealt(feed, first, isWholeFeed);
  const fresh = new Map(cards.map((project) => [project.id, project]));
  const known = deck.queue.flatMap((project) => fresh.get(project.id) ?? (isWholeFeed ? [] : project));
  const added = cards.filter(({ id }) => !has(deck.queue, id) && !has(deck.pending, id) && !deck.votedIds.has(id));
  const isSkipped = ({ id }: Project) => deck.skippedIds.has(id);
  const queue = [
    ...known.filter((project) => !isSkipped(project)),
    ...added.filter((project) => !isSkipped(project)),
    ...known.filter(isSkipped),
    ...added.filter(isSkipped),
  ];
  if (deck.loaded && sameItems(queue, deck.queue)) return deck;
  return { ...deck, loaded: true, queue: sameItems(queue, deck.queue) ? deck.queue : queue };
}

/** Locks the deck for 300 ms (S4.4, S9.3). Returns the same deck when the deck is locked or the card is not on top. */
export function takeTop(deck: Deck, projectId: number, nowMs: number): Deck {
  const top = topCard(deck);
  if (top?.id !== projectId || nowMs < deck.lockedUntilMs) return deck;
  return {
    ...takeOff(deck, projectId),
    pending: [...deck.pending, top],
    // A card that returned keeps its place among the others that did.
    castIds: deck.castIds.includes(projectId) ? deck.castIds : [...deck.castIds, projectId],
    lockedUntilMs: nowMs + VOTE_LOCK_MS,
  };
}

export function voteFinished(deck: Deck, projectId: number): Deck {
  return {
    ...takeOff(deck, projectId),
    pending: without(deck.pending, projectId),
    castIds: deck.castIds.filter((id) => id !== projectId),
    votedIds: new Set([...deck.votedIds, projectId]),
  };
}

/** Returns the same deck when it knows of the vote. */
export function voteCounted(deck: Deck, projectId: number): Deck {
  if (deck.votedIds.has(projectId) && ![...deck.queue, ...deck.pending].some(({ id }) => id === projectId)) return deck;
  return voteFinished(deck, projectId);
}

/** The vote failed: its card returns to the top, below cards that returned, were voted on before it and are not skipped since. */
export function voteFailed(deck: Deck, projectId: number): Deck {
  const card = deck.pending.find((project) => project.id === projectId);
  if (!card) return deck;
  const earlierIds = new Set(deck.castIds.slice(0, deck.castIds.indexOf(projectId)));
  const queue = without(deck.queue, projectId);
  const place = queue.findIndex(({ id }) => !earlierIds.has(id) || deck.skippedIds.has(id));
  return {
    ...deck,
    pending: without(deck.pending, projectId),
    queue: queue.toSpliced(place === -1 ? queue.length : place, 0, card),
  };
}

export function votesWait(deck: Deck, cards: readonly Project[]): Deck {
  const added = cards.filter(({ id }) => !has(deck.pending, id) && !deck.votedIds.has(id));
  if (added.length === 0) return deck;
  return {
    ...added.reduce((rest, { id }) => takeOff(rest, id), deck),
    pending: [...deck.pending, ...added],
    castIds: [...new Set([...deck.castIds, ...added.map(({ id }) => id)])],
  };
}

export function voteReleased(deck: Deck, projectId: number): Deck {
  if (!has(deck.pending, projectId)) return deck;
  return {
    ...deck,
    pending: without(deck.pending, projectId),
    castIds: deck.castIds.filter((id) => id !== projectId),
  };
}

export function voteEnded(deck: Deck, { vote: { project }, fate }: Outcome): Deck {
  if (fate.kind === 'undone') return dealFirst(deck, project);
  if (isCounted(fate)) return voteCounted(deck, project.id);
  if (fate.kind === 'rejected') return voteFinished(deck, project.id);
  return (fate.kind === 'renamed' ? voteReleased : voteFailed)(deck, project.id);
}

export function dealFirst(deck: Deck, card: Project): Deck {
  if (has(deck.pending, card.id)) return deck;
  const rest = takeOff(deck, card.id);
  return { ...rest, votedIds: lacking(deck.votedIds, card.id), queue: [card, ...rest.queue] };
}

export function skipTop(deck: Deck): Deck {
  const [top, ...rest] = deck.queue;
  if (!top) return deck;
  return { ...deck, queue: [...rest, top], skippedIds: new Set([...deck.skippedIds, top.id]) };
}
