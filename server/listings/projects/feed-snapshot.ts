import { hash } from 'node:crypto';
import type { IdentityChange } from '#shared/listings/identity.ts';
import { compareHashes, hashInt8, toSeed, type Hash64 } from './feed-hash.ts';
import { changedOf } from './queries.ts';

export interface Counts {
  bullish: number;
  bearish: number;
}

export interface FeedCard {
  id: number;
  ownerId: number;
  /** Microseconds since 1970, the precision of the database. */
  expiresAtUs: number;
  startsUs: readonly number[];
  version: string;
  place: Hash64;
  head: string;
  createdAt: Date;
  sent: SentCard | null;
}

export interface FeedSnapshot {
  cards: readonly FeedCard[];
  byId: ReadonlyMap<number, FeedCard>;
  byOwner: ReadonlyMap<number, readonly FeedCard[]>;
  endsUs: Float64Array;
}

interface Viewer {
  userId: number;
  nowUs: number;
  day: number;
  voted: readonly number[];
}

/** Equals the project's id in the first period. */
const voteKeyOf = (projectId: number, period: number): number => projectId + (period - 1) * 2 ** 32;
const projectOfVote = (key: number): number => key % 2 ** 32;

export function periodOf({ startsUs }: Pick<FeedCard, 'startsUs'>, nowUs: number): number {
  let period = startsUs.length;
  while (period > 1 && (startsUs[period - 1] ?? 0) > nowUs) period -= 1;
  return Math.max(period, 1);
}

const NO_VOTES: Counts = { bullish: 0, bearish: 0 };
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

export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The feed of R11, equal to `feed_of`: the first `limit` of a page, and the total. */
export function selectFeed(
  { cards, byId, byOwner, endsUs }: FeedSnapshot,
  { userId, nowUs, day, voted: votes }: Viewer,
  pageSize: number,
  limit = pageSize,
): { cards: FeedCard[]; total: number } {
  const isActive = ({ expiresAtUs }: FeedCard): boolean => expiresAtUs > nowUs;
  const voted = new Set<number>();
  let total = endsUs.length - firstIndex(endsUs.length, (index) => (endsUs[index] ?? 0) > nowUs);
  for (const card of byOwner.get(userId) ?? []) if (isActive(card)) total -= 1;
  for (const key of votes) {
    const card = byId.get(projectOfVote(key));
    if (!card || voteKeyOf(card.id, periodOf(card, nowUs)) !== key) continue;
    voted.add(card.id);
    if (isActive(card) && card.ownerId !== userId) total -= 1;
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

/** Parts that move without a change of the project. */
interface Moving {
  counts: Counts | undefined;
  verified: Counts | undefined;
  changes: readonly IdentityChange[] | undefined;
  closed: ClosedDay | undefined;
}

export interface ClosedDay {
  day: string;
  until: Date;
}

/** A serialized card, with the values that it was written from. */
interface SentCard extends Moving {
  period: number;
  text: string;
  json: Buffer;
  tag: string;
}

const isSame = (one: Moving, other: Moving): boolean =>
  one.counts === other.counts &&
  one.verified === other.verified &&
  one.changes === other.changes &&
  one.closed === other.closed;

/** Each value of `moving` is the same object until it is read again, so a card is written once for all its readers. */
export function serializeCard(card: FeedCard, nowUs: number, moving: Moving): { json: Buffer; tag: string } {
  const period = periodOf(card, nowUs);
  if (card.sent?.period === period && isSame(card.sent, moving)) return card.sent;
  const { counts = NO_VOTES, verified: counted = NO_VOTES, changes, closed } = moving;
  const { bullish, bearish } = counts;
  const verified = { bullish: Math.min(counted.bullish, bullish), bearish: Math.min(counted.bearish, bearish) };
  const endsUs = Math.min(card.startsUs[period] ?? card.expiresAtUs, card.expiresAtUs);
  const text = JSON.stringify({
    period,
    periodEndsAt: new Date(Math.floor(endsUs / 1000)).toISOString(),
    bullishCount: bullish,
    bearishCount: bearish,
    totalVotes: bullish + bearish,
    verified,
    figuresOn: closed && closed.until > card.createdAt ? closed.day : null,
    ...(changes && changedOf(counts, verified, changes)),
  });
  const before = card.sent?.text === text ? card.sent : null;
  const json = before?.json ?? Buffer.from(`${card.head},${text.slice(1)}`);
  const tag = before?.tag ?? hash('sha256', json, 'base64url').slice(0, 11);
  card.sent = { ...moving, period, text, json, tag };
  return card.sent;
}
