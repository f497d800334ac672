import type { Project } from '#shared/contract/types.ts';
import { connection } from '../../../offline/connection.ts';
import { keepLastDeck, MAX_CARDS, readLastDeck } from '../../../offline/last-deck.ts';
import { keepPictures } from '../../../offline/pictures.ts';
import { outcome } from '../../../offline/send-waiting.ts';
import { dropWaiting, keepWaiting, waiting, type WaitingVote } from '../../../offline/waiting-votes.ts';
import type { ExternalStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { session } from '../../../lib/session.ts';
import { noteLimit, showNumbers } from '../../../voting/numbers.ts';
import type { NewVote } from '../../../voting/send-vote.ts';
import { type Deck, mergeFeed, voteEnded, voteReleased } from '../../../deck/deck.ts';
import { followWaiting } from '../../../deck/follow-waiting.ts';

export function waitsAtOnce(vote: NewVote): boolean {
  if (connection.get() !== 'offline') return false;
  keepWaiting({ ...vote, castAtMs: serverNow(), attemptedAtMs: null });
  return true;
}

export function waitsAfter(vote: NewVote, sentAtMs: number): void {
  keepWaiting({ ...vote, castAtMs: sentAtMs, attemptedAtMs: sentAtMs });
}

/** A call that takes longer than this may never arrive; shorter ones have been sent when the tab closes. */
const SLOW_CALL_MS = 2_000;

/** Votes whose calls are in flight, and whether the tab was about to close during the call. */
const calls = new Map<WaitingVote, 'open' | 'kept'>();

export function waitsIfClosed(vote: NewVote, sentAtMs: number): () => void {
  const sent: WaitingVote = { ...vote, castAtMs: sentAtMs, attemptedAtMs: sentAtMs };
  calls.set(sent, 'open');
  return () => {
    // The page came back from the browser's store, and the call continued.
    if (calls.get(sent) === 'kept') dropWaiting(sent);
    calls.delete(sent);
  };
}

function keepSlowCalls(): void {
  for (const vote of calls.keys()) {
    if (serverNow() - vote.castAtMs < SLOW_CALL_MS) continue;
    calls.set(vote, 'kept');
    keepWaiting(vote);
  }
}

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
function keepResting(deck: ExternalStore<Deck>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  deck.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(deck.get()), KEEP_AFTER_MS);
  });
}

function followOutcomes(deck: ExternalStore<Deck>): void {
  outcome.subscribe(() => {
    const ended = outcome.get();
    if (!ended || ended.vote.userId !== deck.get().userId) return;
    const { fate, vote } = ended;
    // A change that does not count now has no card to return: its vote keeps counting.
    const isKept = fate.kind === 'returned' && vote.changes !== undefined;
    deck.set((isKept ? voteReleased : voteEnded)(deck.get(), vote.project.id, fate.kind));
    if (fate.kind === 'counted') showNumbers(vote.userId, fate.response);
    if (fate.kind === 'returned' && fate.code === 'vote_limit') noteLimit(vote.userId, fate.retryAfterS);
  });
}

export function connectDeck(deck: ExternalStore<Deck>): void {
  followWaiting(deck, waiting);
  followOutcomes(deck);
  keepResting(deck);
  if (typeof window !== 'undefined') addEventListener('pagehide', keepSlowCalls);
}
