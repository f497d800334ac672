import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import { LASTING_DAYS } from '#shared/cost-to-change.ts';
import type { StrategyId } from './results.ts';
import {
  STANDING_NEEDED_DAYS as NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS as WINDOW_DAYS,
} from '#shared/states/votes.ts';

// The place of a wallet determines its arrival and its coin: the first n wallets of a strategy reach as much as n wallets.

/** The day of the votes of the attack: wallets are old enough then, and the votes are young enough for 'Trending'. */
export const ATTACK_DAY = 7;
export const UPDATE_SUI = Number(UPDATE_FEE_MIST / 1_000_000_000n);
/** Days in which a coin makes a vote safe: 18 of 35. */
const SAFE_DAYS = LASTING_DAYS;
const TEN_COINS = 10;

/**
 * `farm_on`: the search found that two coins serve seven wallets in nine weeks. By wallet: its coin, and in which halves
 * of 18 days it has one; the third has one coin, then the other.
 */
const FARM: ReadonlyArray<{ coin: number; halves: readonly number[] }> = [
  { coin: 0, halves: [0, 1] },
  { coin: 1, halves: [0, 1] },
  { coin: 1, halves: [2, 4] },
  { coin: 0, halves: [2, 3] },
  { coin: 1, halves: [3, 4] },
  { coin: 0, halves: [5, 6] },
  { coin: 1, halves: [5, 6] },
];
const NO_FARM = { coin: 0, halves: [] };
const FARM_COINS = 2;
const HALF_DAYS = SAFE_DAYS / 2;
const farmOf = (place: number) => FARM[place % FARM.length] ?? NO_FARM;

/** The day of the votes of `gap`. A third of its wallets are checked until then, the others until six and twelve days before. */
export const GAP_DAY = 48;
/** A wallet is checked on so many days after its only vote. */
const CHECKED_DAYS = STANDING_VOTER_DAYS + 1;
const lastCheck = (place: number): number => GAP_DAY - NEEDED_DAYS * (2 - (place % 3));

export interface Strategy {
  id: StrategyId;
  /** Number of wallets, from the number with which the goals would be reached if all of their votes were verified. */
  wallets: (needed: number) => number;
  /** The day of the first sign-in, with one vote like the majority's, so that the wallet is read. */
  signInDay: (place: number) => number;
  attackDay: (place: number) => number;
  /** The coin of a wallet at a time; null: none. */
  coinOf: (place: number) => number | null;
  /** True when the coin is in this wallet at a reading. */
  holds: (place: number, day: number, reading: 1 | 2) => boolean;
  /** Days for which the coins are bound; then they can begin again. */
  coinDays: number;
  /**
   * Votes besides the target. rivals: bearish on those in front · majority: like it · everything: on all projects ·
   * friends: bullish on those in front, and none on the target
   */
  others: 'rivals' | 'majority' | 'everything' | 'friends';
  spentSui: number;
}

const base = {
  wallets: (needed: number) => needed,
  signInDay: () => 0,
  attackDay: () => ATTACK_DAY,
  coinOf: (place: number): number | null => place,
  holds: (_place: number, _day: number, _reading: 1 | 2): boolean => true,
  coinDays: 35,
  others: 'rivals' as const,
  spentSui: 0,
};

/** Every strategy that needs wallets; identity.ts has the others. */
export const ATTACKS: readonly Strategy[] = [
  { ...base, id: 'spread' },
  { ...base, id: 'burst', attackDay: () => 0 },
  { ...base, id: 'crowd', others: 'majority', wallets: (needed) => 2 * needed },
  { ...base, id: 'listing', spentSui: 15 },
  {
    ...base,
    id: 'wander_readings',
    coinOf: (place) => Math.floor(place / 2),
    holds: (place, _day, reading) => place % 2 === reading - 1,
  },
  {
    ...base,
    id: 'wander_days',
    wallets: (needed) => 3 * needed,
    coinOf: (place) => Math.floor(place / 3),
    holds: (place, day) => place % 3 === Math.floor((day - 1) / NEEDED_DAYS) % 3,
  },
  {
    ...base,
    id: 'rotate',
    // Each group of seven has six coins; the wallet that has none on a day has each of the others in turn.
    coinOf: (place) => NEEDED_DAYS * Math.floor(place / WINDOW_DAYS) + Math.min(place % WINDOW_DAYS, NEEDED_DAYS - 1),
    holds: (place, day) => (place + day) % WINDOW_DAYS < NEEDED_DAYS,
  },
  {
    ...base,
    id: 'wander_weeks',
    coinOf: (place) => Math.floor(place / 2),
    signInDay: (place) => (place % 2) * SAFE_DAYS,
    attackDay: (place) => ATTACK_DAY + (place % 2) * SAFE_DAYS,
    holds: (place, day) => day <= ATTACK_DAY + SAFE_DAYS === (place % 2 === 0),
    coinDays: 2 * SAFE_DAYS,
  },
  {
    ...base,
    id: 'gap',
    wallets: (needed) => 3 * needed,
    coinOf: (place) => Math.floor(place / 3),
    signInDay: (place) => lastCheck(place) - CHECKED_DAYS,
    attackDay: () => GAP_DAY,
    holds: (place, day) => day > lastCheck(place) - NEEDED_DAYS && day <= lastCheck(place),
  },
  {
    ...base,
    id: 'delete_return',
    // Three accounts for each coin: the deleted one, its returned wallet, and the one that gets the coin.
    wallets: (needed) => Math.min(3 * needed, 90),
    coinOf: (place) => Math.floor(place / 3),
    signInDay: (place) => (place % 3 === 0 ? 0 : ATTACK_DAY + SAFE_DAYS),
    attackDay: (place) => (place % 3 === 0 ? ATTACK_DAY : ATTACK_DAY + SAFE_DAYS),
    holds: (place, day) =>
      place % 3 === 0 ? day <= ATTACK_DAY + SAFE_DAYS : place % 3 === 2 && day > ATTACK_DAY + SAFE_DAYS,
  },
  { ...base, id: 'victims', wallets: () => 150, attackDay: () => 1, coinOf: () => null, holds: () => false },
  {
    ...base,
    id: 'farm',
    wallets: () => 50,
    coinOf: (place) => (place < TEN_COINS ? place : null),
    holds: (place) => place < TEN_COINS,
    others: 'everything',
  },
  {
    ...base,
    id: 'farm_on',
    wallets: () => (TEN_COINS / FARM_COINS) * FARM.length,
    coinOf: (place) => FARM_COINS * Math.floor(place / FARM.length) + farmOf(place).coin,
    signInDay: (place) => HALF_DAYS * (farmOf(place).halves[0] ?? 0),
    attackDay: (place) => HALF_DAYS * (farmOf(place).halves[0] ?? 0),
    holds: (place, day) => farmOf(place).halves.includes(Math.floor((day - 1) / HALF_DAYS)),
    coinDays: (FARM.length * SAFE_DAYS) / FARM_COINS,
    others: 'everything',
  },
  // More friends than a place in front needs; each has votes on all projects in front.
  { ...base, id: 'friends', others: 'friends', wallets: (needed) => Math.min(needed, 500), spentSui: UPDATE_SUI },
  { ...base, id: 'peek_flip' },
  { ...base, id: 'change_flood' },
  { ...base, id: 'failing_node', wallets: () => 0, coinOf: () => null, holds: () => false },
];

export const CONFIRMATION_DAY = ATTACK_DAY + 1;
/** Number of days after the vote on which a flood turns it; the last turn is as bullish as the vote. */
export const FLOOD_DAYS = 20;

export const DELETION_DAY = ATTACK_DAY + SAFE_DAYS;
