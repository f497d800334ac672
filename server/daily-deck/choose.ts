import { DAILY_DECK_CARDS } from '#shared/daily-deck.ts';
import type { DailyKind } from '#shared/contract/daily-deck.ts';
import { compareHashes, hashInt8, toSeed } from '../projects/feed-hash.ts';

/** Candidates for a deck, by the reason; a project may have several. */
export type Candidates = Record<Exclude<DailyKind, 'feed'>, readonly number[]> & {
  /** The user's feed, in its order. */
  feed: readonly number[];
};

export interface Choice {
  projectId: number;
  kind: DailyKind;
}

/** Initial number of each kind; free places go to the feed. */
const SHARES: ReadonlyArray<[kind: Exclude<DailyKind, 'feed'>, count: number]> = [
  ['still_bullish', 3],
  ['new', 3],
  ['close', 2],
  ['moved', 2],
];

/**
 * The deck of a user's day: some of each kind, no project twice, filled up from the feed. Choice and order differ by
 * user and change each day.
 */
export function chooseDailyDeck(userId: number, day: number, candidates: Candidates): Choice[] {
  const seed = hashInt8(userId, toSeed(day));
  const shuffled = (ids: readonly number[]) =>
    ids.toSorted((one, other) => compareHashes(hashInt8(one, seed), hashInt8(other, seed)));
  const chosen = new Map<number, DailyKind>();
  const take = (kind: DailyKind, ids: readonly number[], count: number): void => {
    const fresh = ids.filter((id) => !chosen.has(id));
    for (const id of fresh.slice(0, Math.min(count, DAILY_DECK_CARDS - chosen.size))) chosen.set(id, kind);
  };
  for (const [kind, count] of SHARES) take(kind, shuffled(candidates[kind]), count);
  take('feed', candidates.feed, DAILY_DECK_CARDS);
  return shuffled([...chosen.keys()]).map((projectId) => ({ projectId, kind: chosen.get(projectId) ?? 'feed' }));
}
