import { isolated } from '#shared/text/isolated.ts';
import type { getGuestCards } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import type { PageData } from '#shared/site/first-paint.ts';
import { GUEST_CARDS, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import {
  takeTop,
  emptyDeck,
  mergeFeed,
  skipTop,
  topCard,
  voteFailed,
  type Deck,
  type VoteType,
} from '../../deck/deck.ts';
import { followWaiting } from '../../deck/follow-waiting.ts';
import type { DeckMoves } from '../../deck/use-stack.ts';
import { announce } from '../../lib/announce.ts';
import { callEndpoint } from '../../lib/http.ts';
import { createStore } from '../../lib/external-store.ts';
import { session } from '../../lib/session.ts';
import { readPageJson } from '../../lib/page-json.ts';
import { takeBackGuestVote } from '../../offline/guest-vote-list.tsx';
import { keepGuestVote } from '../../offline/guest-votes.ts';
import { GUEST_ID, guestVotes } from '../../offline/waiting-votes.ts';

export const deck = createStore<Deck>(emptyDeck(GUEST_ID));

export const dealGuestCards = (cards: readonly Project[] | undefined): void =>
  deck.set(cards ? mergeFeed(emptyDeck(GUEST_ID), cards) : emptyDeck(GUEST_ID));

dealGuestCards((readPageJson('page-data') as PageData | null)?.guestCards);
followWaiting(deck, guestVotes, voteFailed);

export const reading = createStore<'no' | 'pending' | 'failed'>('no');

export async function readGuestCards(): Promise<void> {
  if (deck.get().loaded || reading.get() === 'pending') return;
  reading.set('pending');
  try {
    dealGuestCards((await callEndpoint<typeof getGuestCards>('GET /api/guest-cards')).cards);
    reading.set('no');
  } catch {
    reading.set('failed');
  }
}

// The next visit deals other cards: these were the visitor's who is signed in now.
session.subscribe(() => {
  if (session.get().user) dealGuestCards(undefined);
});

/** Pops up after a vote. */
export const waitingReward = createStore<{ tokens: number } | null>(null);

const ownVotes = () => guestVotes.get().filter(({ isCarried }) => !isCarried);

const canVote = (): boolean => guestVotes.get().length < GUEST_CARDS;

function vote(voteType: VoteType): boolean {
  const before = deck.get();
  const project = topCard(before);
  if (!project || !canVote()) return false;
  deck.set(takeTop(before, project.id, performance.now()));
  if (deck.get() === before) return false;
  keepGuestVote(project, voteType);
  waitingReward.set({ tokens: ownVotes().length * VOTE_REWARD_TOKENS });
  return true;
}

export const MOVES: DeckMoves = {
  deck,
  canVote,
  vote,
  skip() {
    const project = topCard(deck.get());
    if (project) {
      deck.set(skipTop(deck.get()));
      announce(`Skipped ${isolated(project.name)}`);
    }
    return project;
  },
  undo() {
    const newest = ownVotes().at(-1);
    waitingReward.set(null);
    if (newest) takeBackGuestVote(newest);
    return newest !== undefined;
  },
};
