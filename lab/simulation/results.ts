/**
 * Results of `npm run simulate`: the cost of an attack, by the listing that is lifted and the way in which the coins are held.
 * They are committed (results.json); /trust says the highest of them (shared/figures/lie-cost.json), and docs/use/standing.md explains them.
 */

/** The orders in which a project is lifted; 'lasting' is 'Verified' by votes that are decided for good. */
export const SIMULATED_ORDERS = ['bullish', 'verified', 'trending', 'lasting'] as const;
export type SimulatedOrder = (typeof SIMULATED_ORDERS)[number];
export const GOALS = ['first', 'points'] as const;

export const ORDER_TITLES: Record<SimulatedOrder, string> = {
  bullish: 'Bullish',
  verified: 'Verified',
  trending: 'Trending',
  lasting: 'Verified, for good',
};

/** Listings that an attack lifts, in words. */
export const PLACES = {
  old: 'An old listing from the middle of the board',
  own: 'An own listing, made for the attack',
  renamed: 'A listing with a bad score, renamed before the votes',
  friends: 'The first listing, renamed: friends confirm their votes until it is first again',
} as const;
export type PlaceId = keyof typeof PLACES;

/** Ways of holding coins, in words. */
export const PATTERNS_IN_WORDS = {
  each: 'one coin each',
  rotate: 'six coins for seven wallets, each without one on one day of seven',
  halves: 'a coin for two wallets, 18 days each',
  gaps: 'a coin for three wallets, each every third week',
  readings: 'a coin for two wallets, moved between the readings of each day',
} as const;
export type PatternId = keyof typeof PATTERNS_IN_WORDS;

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** `from`: the weekday of the first sign-in. */
export type Cost = { wallets: number; sui: number; days: number; from: string } | null;

export interface SimulatedRow {
  place: PlaceId;
  pattern: PatternId;
  /** Rank 1, and ten more points of the order's figure, on the cheapest weekday. */
  goals: Record<SimulatedOrder, { first: Cost; points: Cost }>;
}

/** Wallets of ten SUI: verified at one moment, verified for good per 35 days, and paid by the payout rule per 35 days. */
export interface TenSui {
  atOnce: number;
  lasting: number;
  paid: number;
}

export interface SimulatedTable {
  /** demo: the demo's data · crowd: a generated crowd. */
  world: 'demo' | 'crowd';
  seed: number;
  projects: number;
  voters: number;
  votes: number;
  days: number;
  /** Days in which a coin verifies a vote for good, at the least. */
  turnDays: number;
  rows: SimulatedRow[];
  tenSui: Record<PatternId, TenSui>;
  /** Honest wallets that a failing node is asked for, and those of them that lost a verified vote. */
  bystanders: number;
  harmed: number;
}

export const WORLD_TITLES: Record<SimulatedTable['world'], string> = {
  demo: "The demo's data",
  crowd: 'A generated crowd',
};

export const isWorld = (name: string): name is SimulatedTable['world'] => name in WORLD_TITLES;

/** The cheaper of two ways to a goal: less SUI, then fewer wallets, then sooner. */
export function cheaperOf(one: Cost, other: Cost): Cost {
  if (one === null || other === null) return one ?? other;
  const by = one.sui - other.sui || one.wallets - other.wallets || one.days - other.days;
  return by <= 0 ? one : other;
}

export const costText = (cost: Cost): string =>
  cost === null ? '–' : `${cost.wallets}/${cost.sui}/${cost.days} ${cost.from}`;

const HALF_YEAR_DAYS = 182;

/** The figures of /trust: the most that any pattern reached with ten SUI, over all simulated sites. */
export function lieCostOf(tables: readonly SimulatedTable[]) {
  const most = (figure: keyof TenSui): number =>
    Math.max(...tables.flatMap(({ tenSui }) => Object.values(tenSui).map((ten) => ten[figure])));
  const turnDays = Math.min(...tables.map((table) => table.turnDays));
  return {
    sui: 10,
    atOnce: most('atOnce'),
    lasting: most('lasting'),
    halfYear: Math.floor(HALF_YEAR_DAYS / turnDays) * Math.round((most('lasting') * turnDays) / 35),
    bystanders: tables.reduce((sum, { bystanders }) => sum + bystanders, 0),
    harmed: tables.reduce((sum, { harmed }) => sum + harmed, 0),
  };
}

/** Computed, not played: coins move on to new wallets after each decision. */
export function patienceText(tables: readonly SimulatedTable[]): string {
  const turnDays = Math.min(...tables.map((table) => table.turnDays));
  const turns = Math.floor(HALF_YEAR_DAYS / turnDays);
  const { sui, halfYear } = lieCostOf(tables);
  return (
    `Patience buys more: coins that move on to new wallets every ${turnDays} days verify ${halfYear} votes for good in half a year ` +
    `with ${sui} SUI, or ten with ${Math.ceil(sui / turns)} SUI in ${turns * turnDays} days.`
  );
}
