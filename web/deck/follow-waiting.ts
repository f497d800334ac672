import type { ExternalStore } from '../lib/external-store.ts';
import type { WaitingVote } from '../offline/waiting-votes.ts';
import { type Deck, voteReleased, votesWait } from './deck.ts';

/** Removes the cards of votes that wait in any tab. `release` returns a card whose vote no longer waits; by default the feed does. */
export function followWaiting(
  deck: ExternalStore<Deck>,
  waiting: ExternalStore<readonly WaitingVote[]>,
  release: (deck: Deck, projectId: number) => Deck = voteReleased,
): void {
  let before: readonly number[] = [];
  waiting.subscribe(() => {
    const isCard = ({ userId, changes }: WaitingVote) => userId === deck.get().userId && changes === undefined;
    const cards = waiting.get().flatMap((vote) => (isCard(vote) ? vote.project : []));
    const gone = before.filter((id) => !cards.some((card) => card.id === id));
    before = cards.map(({ id }) => id);
    deck.set(votesWait(gone.reduce(release, deck.get()), cards));
  });
}
