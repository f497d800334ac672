import { hash } from 'node:crypto';
import { compareHashes, hashInt8, toSeed, type Hash64 } from './feed-hash.ts';

/** Votes of a project. */
export interface Counts {
  bullish: number;
  bearish: number;
  verifiedBullish: number;
  verifiedBearish: number;
}

/** A listed project as the feed sends it. */
export interface FeedCard {
  id: number;
  ownerId: number;
  /** End of the listing, microseconds since 1970: as exact as the database has it. */
  expiresAtUs: number;
  /** Version of the row; changes with every change of the row. */
  version: string;
  /** Place on the walk that decides which projects a page holds. */
  place: Hash64;
  /** The JSON object up to its counters, without the closing brace. */
  head: string;
  /** The JSON with these counters, made when it is first asked for. */
  sent: { counts: Counts; json: Buffer; tag: string } | null;
}

/** All listed projects, those included whose listing ended a moment ago. */
export interface FeedSnapshot {
  /** In the order of the walk. */
  cards: readonly FeedCard[];
  byId: ReadonlyMap<number, FeedCard>;
  byOwner: ReadonlyMap<number, readonly FeedCard[]>;
  /** Ends of all listings, the first to come first. */
  endsUs: Float64Array;
}

/** Whose feed it is, and when. */
export interface Viewer {
  userId: number;
  /** The database's clock, microseconds since 1970. */
  nowUs: number;
  /** Days since 1970, UTC. */
  day: number;
  /** Every project that the user has voted on, each once. */
  votedIds: readonly number[];
}

const NO_VOTES: Counts = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
const DAY_US = 86_400_000_000;
export const dayOf = (nowUs: number): number => Math.floor(nowUs / DAY_US);
export const placeOf = (projectId: number): Hash64 => hashInt8(projectId, toSeed(0));

export function toSnapshot(listed: FeedCard[]): FeedSnapshot {
  const cards = listed.toSorted((one, other) => compareHashes(one.place, other.place));
  const byOwner = Map.groupBy(cards, ({ ownerId }) => ownerId);
  return {
    cards,
    byId: new Map(cards.map((card) => [card.id, card])),
    byOwner,
    endsUs: Float64Array.from(cards, ({ expiresAtUs }) => expiresAtUs).sort(),
  };
}

/** Index of the first item for which `isReached` holds; it holds for all behind it. */
function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The feed of R11, as the database's `feed_of` and `listFeed` work it out: the first `limit` of a page of `pageSize` cards, and how many
 * cards there are in all.
 */
export function selectFeed(
  { cards, byId, byOwner, endsUs }: FeedSnapshot,
  { userId, nowUs, day, votedIds }: Viewer,
  pageSize: number,
  limit = pageSize,
): { cards: FeedCard[]; total: number } {
  const isActive = ({ expiresAtUs }: FeedCard): boolean => expiresAtUs > nowUs;
  const voted = new Set(votedIds);
  let total = endsUs.length - firstIndex(endsUs.length, (index) => (endsUs[index] ?? 0) > nowUs);
  for (const card of byOwner.get(userId) ?? []) if (isActive(card)) total -= 1;
  for (const id of votedIds) {
    const card = byId.get(id);
    if (card && isActive(card) && card.ownerId !== userId) total -= 1;
  }
  const seed = hashInt8(userId, toSeed(day));
  const start = firstIndex(cards.length, (index) => compareHashes(cards[index]?.place ?? seed, seed) >= 0);
  const page: Array<{ card: FeedCard; rank: Hash64 }> = [];
  for (let step = 0; step < cards.length && page.length < pageSize; step += 1) {
    const card = cards[(start + step) % cards.length];
    if (!card || card.ownerId === userId || !isActive(card) || voted.has(card.id)) continue;
    page.push({ card, rank: hashInt8(card.id, seed) });
  }
  page.sort((one, other) => compareHashes(one.rank, other.rank));
  return { cards: page.slice(0, limit).map(({ card }) => card), total };
}

const isEqual = (one: Counts, other: Counts): boolean =>
  one.bullish === other.bullish &&
  one.bearish === other.bearish &&
  one.verifiedBullish === other.verifiedBullish &&
  one.verifiedBearish === other.verifiedBearish;

/** The card's JSON with its present counters, and a tag that changes with it. Made once for each change. */
export function serializeCard(card: FeedCard, counts: Counts = NO_VOTES): { json: Buffer; tag: string } {
  const { bullish, bearish, verifiedBullish, verifiedBearish } = counts;
  if (card.sent !== null && isEqual(card.sent.counts, counts)) return card.sent;
  const counters =
    `"bullishCount":${bullish},"bearishCount":${bearish},"totalVotes":${bullish + bearish},` +
    `"verified":{"bullish":${verifiedBullish},"bearish":${verifiedBearish}}`;
  const json = Buffer.from(`${card.head},${counters}}`);
  card.sent = { counts, json, tag: hash('sha256', json, 'base64url').slice(0, 11) };
  return card.sent;
}
