import { PRODUCT } from '#shared/constants.ts';
import type { Project, VotingStatus } from '#shared/contract/types.ts';
import { readStored, writeStored } from '../lib/storage.ts';

export interface LastDeck {
  userId: number;
  cards: Project[];
  votingStatus: VotingStatus | null;
}

export const DECK_KEY_PREFIX = `${PRODUCT}_deck:`;
export const MAX_CARDS = 20;
const MAX_CHARS = 64_000;

export function toText({ cards, ...rest }: LastDeck): string {
  for (let count = Math.min(cards.length, MAX_CARDS); ; count -= 1) {
    const text = JSON.stringify({ ...rest, cards: cards.slice(0, count) });
    if (text.length <= MAX_CHARS || count === 0) return text;
  }
}

const isCard = (card: Partial<Project> | null): boolean =>
  typeof card?.id === 'number' && typeof card.name === 'string' && typeof card.imageUrl === 'string';

export function fromText(text: string | null, userId: number): LastDeck | null {
  try {
    const deck = JSON.parse(text ?? 'null') as Partial<LastDeck> | null;
    if (deck?.userId !== userId || !Array.isArray(deck.cards) || !deck.cards.every(isCard)) return null;
    return deck as LastDeck;
  } catch {
    return null;
  }
}

export const readLastDeck = (userId: number): LastDeck | null =>
  fromText(readStored(`${DECK_KEY_PREFIX}${userId}`), userId);

export function keepLastDeck(deck: LastDeck): void {
  writeStored(`${DECK_KEY_PREFIX}${deck.userId}`, toText(deck));
}
