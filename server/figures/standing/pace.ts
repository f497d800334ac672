import { type RawBuilder, sql } from 'kysely';
import type { Round } from './ask-wallets.ts';

/*
 * The pace of a reading follows from its wallets and the time left, up to STANDING_READS_PER_SECOND. A rejection by the node (429) lowers it;
 * each round without one raises it again.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const PLANNED_MS = 60 * MINUTE_MS;
const MARGIN_MS = 10 * MINUTE_MS;

const MIN_PER_SECOND = 2;
const MIN_LIMITED_PER_SECOND = 0.5;
const AFTER_LIMIT = 0.7;
const AFTER_CLEAN_ROUND = 1.08;

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Progress {
  reading: number;
  wallets: number;
  walletsRead: number;
  /** Null while the node has rejected nothing. */
  maxPerSecond: number | null;
}

function plannedPerSecond({ reading, wallets, walletsRead }: Progress, now: Date): number {
  const left = Math.max(0, wallets - walletsRead);
  const midnightMs = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  const untilMidnightMs = midnightMs - MARGIN_MS - now.getTime();
  const both = reading === 1 ? left + wallets : left;
  return Math.max(wallets / PLANNED_MS, both / Math.max(untilMidnightMs, MINUTE_MS)) * 1_000;
}

export const paceOf = (progress: Progress, now: Date, atMost: number): number =>
  Math.min(Math.max(MIN_PER_SECOND, plannedPerSecond(progress, now)), atMost, progress.maxPerSecond ?? Infinity);

export function maxAfter(max: number | null, perSecond: number, isLimited: boolean): number | null {
  if (isLimited) return Math.max(MIN_LIMITED_PER_SECOND, perSecond * AFTER_LIMIT);
  // A round below the limit says nothing about the limit.
  return max === null || perSecond < max ? max : max * AFTER_CLEAN_ROUND;
}

const pauseAfter = (lastMs: number, hasRead: boolean): number =>
  hasRead || lastMs === 0 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, lastMs * 2);

interface Paced {
  pauseMs: number;
  maxPerSecond: number | null;
}

export function paceColumns(
  { pauseMs: lastMs, maxPerSecond }: Paced,
  { results, obstacle }: Round<unknown>,
  perSecond: number,
  now: Date,
): RawBuilder<unknown> {
  const hasRead = results.some((result) => result !== undefined);
  const pauseMs = obstacle === null ? 0 : pauseAfter(lastMs, hasRead);
  return sql`pause_ms = ${pauseMs}, paused_until = ${obstacle === null ? null : new Date(now.getTime() + pauseMs)}::timestamptz,
    max_per_second = ${maxAfter(maxPerSecond, perSecond, obstacle === 'limited')}`;
}
