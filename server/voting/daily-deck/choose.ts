import { DAILY_DECK_CARDS } from '#shared/voting/daily-deck.ts';
import type { DailyKind } from '#shared/contract/daily-deck.ts';
import { compareHashes, hashInt8, toSeed } from '#server/listings/projects/feed-hash.ts';

export type Candidates = Record<Exclude<DailyKind, 'feed'>, readonly number[]> & {
  feed: readonly number[];
  /** Votes of the present listing period, by the reason to ask again (R61). */
  again: Readonly<Record<AskReason, readonly number[]>>;
  /** Any earlier votes, so that a streak can be kept when nothing else is left (R61). */
  own: readonly number[];
};

/** The most important reason first (R57, R61). */
const ASK_REASONS = ['unverified', 'identity', 'moved', 'old'] as const;
export type AskReason = (typeof ASK_REASONS)[number];

export interface Choice {
  projectId: number;
  kind: DailyKind;
  reason?: AskReason;
}

const ASKED = 3;

const SHARES: ReadonlyArray<[kind: Exclude<DailyKind, 'feed'>, count: number]> = [
  ['new', 3],
  ['close', 2],
  ['moved', 2],
];

export function chooseDailyDeck(userId: number, day: number, candidates: Candidates): Choice[] {
  const seed = hashInt8(userId, toSeed(day));
  const shuffled = (ids: readonly number[]) =>
    ids.toSorted((one, other) => compareHashes(hashInt8(one, seed), hashInt8(other, seed)));
  const chosen = new Map<number, DailyKind>();
  const take = (kind: DailyKind, ids: readonly number[], count: number): void => {
    const fresh = ids.filter((id) => !chosen.has(id));
    for (const id of fresh.slice(0, Math.min(count, DAILY_DECK_CARDS - chosen.size))) chosen.set(id, kind);
  };
  // A vote in a new listing period is rewarded.
  take('still_bullish', shuffled(candidates.still_bullish), ASKED);
  const reasons = new Map<number, AskReason>();
  for (const reason of ASK_REASONS) {
    const asked = shuffled(candidates.again[reason]).filter((id) => !chosen.has(id));
    for (const id of asked.slice(0, ASKED - chosen.size)) reasons.set(id, reason);
    take('still_bullish', asked, ASKED - chosen.size);
  }
  for (const [kind, count] of SHARES) take(kind, shuffled(candidates[kind]), count);
  take('feed', candidates.feed, DAILY_DECK_CARDS);
  take('still_bullish', shuffled(candidates.own), DAILY_DECK_CARDS);
  return shuffled([...chosen.keys()]).map((projectId) => {
    const reason = reasons.get(projectId);
    return { projectId, kind: chosen.get(projectId) ?? 'feed', ...(reason && { reason }) };
  });
}

/** Other votes of today come first and replace open cards from the end; cards that ask about a vote stay longest. */
export function withOtherVotes(
  choices: readonly Choice[],
  isOpen: (choice: Choice) => boolean,
  otherIds: readonly number[],
): Choice[] {
  const open = choices.filter(isOpen).toReversed();
  const asks = ({ kind }: Choice) => Number(kind === 'still_bullish');
  const replaceable = open.toSorted((one, other) => asks(one) - asks(other));
  const free = DAILY_DECK_CARDS - choices.length;
  const added = otherIds.slice(0, free + open.length);
  const replaced = new Set(replaceable.slice(0, Math.max(0, added.length - free)));
  return [
    ...added.map((projectId) => ({ projectId, kind: 'feed' as const })),
    ...choices.filter((choice) => !replaced.has(choice)),
  ];
}
