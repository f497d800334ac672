import type { Project } from '#shared/contract/types.ts';
import { keepLastDeck, MAX_CARDS, readLastDeck } from '../../../offline/last-deck.ts';
import { keepPictures } from '../../../offline/pictures.ts';
import type { ExternalStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { session } from '../../../lib/session.ts';
import { type Deck, mergeFeed } from '../../../deck/deck.ts';

export function withLastDeck(deck: Deck): Deck {
  const last = deck.loaded ? null : readLastDeck(deck.userId);
  if (!last) return deck;
  const { queryKey } = queries.votingStatus(deck.userId);
  const { votingStatus } = last;
  if (votingStatus) queryClient.setQueryData(queryKey, (known) => known ?? votingStatus);
  // A part of a feed: what it lacks says nothing.
  return mergeFeed(deck, last.cards, last.cards.length);
}

const KEEP_AFTER_MS = 1_000;

function keep({ userId, queue, loaded }: Deck): void {
  if (!loaded || session.live().user?.id !== userId) return;
  const votingStatus = queryClient.getQueryData(queries.votingStatus(userId).queryKey) ?? null;
  keepLastDeck({ userId, cards: [...queue], votingStatus });
  keepPictures(queue.slice(0, MAX_CARDS).map(({ imageUrl }: Project) => imageUrl)).catch((error: unknown) =>
    console.warn('The pictures of the deck could not be stored', error),
  );
}

/** Stores the deck for times without a network, when it has rested for a moment: never within a swipe. */
export function keepResting(deck: ExternalStore<Deck>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  deck.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(deck.get()), KEEP_AFTER_MS);
  });
}
