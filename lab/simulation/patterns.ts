import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { STANDING_NEEDED_DAYS as NEEDED_DAYS, STANDING_WINDOW_DAYS as WINDOW_DAYS } from '#shared/states/votes.ts';
import type { PatternId } from './results.ts';

/** The place of a wallet determines its coin and its days: the first n wallets of a pattern reach as much as n wallets. */
export interface Pattern {
  coinOf: (place: number) => number;
  /** Days from the first sign-in of the attack to that of this wallet. */
  arrives: (place: number) => number;
  /** True when the coin is in this wallet at a reading, this many days after the first sign-in. */
  holds: (place: number, day: number, reading: 1 | 2) => boolean;
}

const alone: Pattern = { coinOf: (place) => place, arrives: () => 0, holds: () => true };
const shared = (group: number, holds: Pattern['holds']): Pattern => ({
  ...alone,
  coinOf: (place) => Math.floor(place / group),
  holds,
});

export const PATTERNS: Record<PatternId, Pattern> = {
  each: alone,
  rotate: {
    ...alone,
    coinOf: (place) => NEEDED_DAYS * Math.floor(place / WINDOW_DAYS) + Math.min(place % WINDOW_DAYS, NEEDED_DAYS - 1),
    holds: (place, day) => (place + day) % WINDOW_DAYS < NEEDED_DAYS,
  },
  halves: {
    ...shared(2, (place, day) => Math.floor((day - 1) / LASTING_DAYS) === place % 2),
    arrives: (place) => (place % 2) * LASTING_DAYS,
  },
  gaps: shared(3, (place, day) => Math.floor((day - 1) / WINDOW_DAYS) % 3 === place % 3),
  readings: shared(2, (place, _day, reading) => place % 2 === reading - 1),
};

/** Enough for ten coins of every pattern. */
export const PLAYED = 30;
export const TEN_COINS = 10;

/** Wallets that hold by one pattern and begin on one weekday. They vote at once, or a week later, when they are old enough. */
export interface Attack {
  id: number;
  pattern: PatternId;
  /** Monday is 0, and so is the day of the simulation. */
  weekday: number;
  votesAfter: number;
  /** Accounts of the wallets that have arrived, by place. */
  userIds: number[];
}

export const planAttacks = (): Attack[] =>
  (Object.keys(PATTERNS) as PatternId[])
    .flatMap((pattern) => [0, WINDOW_DAYS].map((votesAfter) => ({ pattern, votesAfter })))
    .flatMap((one) => Array.from({ length: WINDOW_DAYS }, (_, weekday) => ({ ...one, weekday })))
    .map((one, id) => ({ ...one, id, userIds: [] }));

export const PLACES_PLAYED: readonly number[] = Array.from({ length: PLAYED }, (_, place) => place);
