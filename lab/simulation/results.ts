import { plural } from '#shared/plural.ts';

/**
 * Results of `npm run simulate`: the cost of an attack, by strategy. They are committed (results.json); /trust says the highest of them
 * (shared/lie-cost.json), and docs/use/standing.md explains them.
 */

/**
 * The orders in which a project is lifted; 'lasting' is 'Verified' once every vote of the attack is decided for good.
 */
export const SIMULATED_ORDERS = ['bullish', 'verified', 'trending', 'lasting'] as const;
export type SimulatedOrder = (typeof SIMULATED_ORDERS)[number];

export const ORDER_TITLES: Record<SimulatedOrder, string> = {
  bullish: 'Bullish',
  verified: 'Verified',
  trending: 'Trending',
  lasting: 'Verified, for good',
};

/** The strategies in the order of the table, each in words. */
export const STRATEGIES = {
  spread: 'Spread: each wallet has a coin of its own, a network of its own, and votes at a time of its own',
  burst: 'Burst: a script lets all wallets of one network vote within minutes, on the day of their first sign-in',
  crowd: 'Copy the crowd: each wallet votes like the majority, and bullish on the target',
  listing: 'Own listing: the target is listed for the attack',
  wander_readings: 'A coin that wanders between the readings of a day',
  wander_days: 'A coin that wanders between three wallets every six days',
  rotate: 'Rotate: seven wallets share six coins, so that each holds one on six of any seven days',
  wander_weeks: 'A coin that wanders to a new wallet every 18 days, when the vote of the one before is safe',
  gap: 'Gap: three wallets share one coin, each on the last six days on which it is checked, and then vote at one moment',
  delete_return:
    'Delete and return: an account is deleted after 18 days, its coin goes to a new one, its wallet comes back',
  victims: 'Copying a victim: three free wallets of the same network repeat the votes of a new voter',
  farm: 'Farm and withdraw: ten coins and forty free wallets vote on everything',
  farm_on: 'Farm on: two coins move between seven wallets, so that the payout rule pays each of them once',
  rename: 'Rename after collecting: a project that earned its place takes another name and picture',
  rename_wash: 'Rename to wash a bad score: a project whose voters turned takes another name and picture',
  friends:
    'Rename and confirm: a project takes another name and picture, and wallets of friends confirm their votes on it',
  one_pixel: 'One changed pixel: the picture of a project changes so little that no person sees it',
  peek_flip: 'Peek and flip: each wallet votes, looks at the result, takes the vote back, and votes the other way',
  change_flood: 'Change flood: each wallet turns its vote on the project every day for three weeks',
  failing_node: 'A failing node: Sui answers 5% of the requests for the balances of honest wallets with an error',
} as const;
export type StrategyId = keyof typeof STRATEGIES;
export const STRATEGY_IDS = Object.keys(STRATEGIES) as StrategyId[];

export type Cost = { wallets: number; sui: number; days: number } | null;

export interface SimulatedRow {
  strategy: StrategyId;
  tried: number;
  spentSui: number;
  /** Rank 1, and ten more points of the order's figure. */
  goals: Record<SimulatedOrder, { first: Cost; points: Cost }>;
  /** With ten SUI: wallets whose votes are verified at one moment, and that are verified for good per 35 days. */
  tenSui: { atOnce: number; lasting: number };
  /** Snaps that the payout rule would have paid, over all days, to wallets of these ten SUI and to wallets without SUI. */
  snaps: number;
  /** Honest wallets whose votes were set aside or, with a failing node, not verified, of those around the attack. */
  harmed: number;
  bystanders: number;
}

export interface SimulatedTable {
  /** demo: the demo's data · crowd: a generated crowd. */
  world: 'demo' | 'crowd';
  seed: number;
  projects: number;
  voters: number;
  votes: number;
  days: number;
  rows: SimulatedRow[];
}

export const WORLD_TITLES: Record<SimulatedTable['world'], string> = {
  demo: "The demo's data",
  crowd: 'A generated crowd',
};

/** '29 wallets, 29 SUI, 7 days'; '–' where it was not reached. */
export function costText(cost: Cost): string {
  if (cost === null) return '–';
  const { wallets, sui, days } = cost;
  return `${plural(wallets, 'wallet')}, ${sui.toLocaleString('en-US')} SUI, ${plural(days, 'day')}`;
}

export const isWorld = (name: string): name is SimulatedTable['world'] => name in WORLD_TITLES;

export function otherFigures({ tenSui, snaps, harmed, bystanders, spentSui }: SimulatedRow) {
  return {
    atOnce: tenSui.atOnce.toLocaleString('en-US'),
    lasting: tenSui.lasting.toLocaleString('en-US', { maximumFractionDigits: 1 }),
    snaps: snaps.toLocaleString('en-US'),
    harmed: bystanders === 0 ? '0' : `${harmed} of ${bystanders}`,
    spent: spentSui === 0 ? '0' : `${spentSui} SUI`,
  };
}

const isCheaper = (now: Cost, before: Cost): boolean => {
  if (now === null) return false;
  if (before === null) return true;
  return now.wallets < before.wallets || now.sui < before.sui || now.days < before.days;
};

/** Costs that have fallen since, in words, and missing rows; empty where all is well. */
export function cheaperThan(now: readonly SimulatedRow[], before: readonly SimulatedRow[]): string[] {
  const found: string[] = [];
  for (const strategy of STRATEGY_IDS) {
    const [row, old] = [now, before].map((rows) => rows.find((one) => one.strategy === strategy));
    if (!row || !old) {
      found.push(`${strategy}: the row is missing`);
      continue;
    }
    for (const order of SIMULATED_ORDERS)
      for (const goal of ['first', 'points'] as const)
        if (isCheaper(row.goals[order][goal], old.goals[order][goal]))
          found.push(
            `${strategy}, ${order}, ${goal}: ${costText(row.goals[order][goal])}, not ${costText(old.goals[order][goal])}`,
          );
    const more = {
      atOnce: row.tenSui.atOnce - old.tenSui.atOnce,
      lasting: row.tenSui.lasting - old.tenSui.lasting,
      snaps: row.snaps - old.snaps,
      harmed: row.harmed - old.harmed,
    };
    for (const [figure, by] of Object.entries(more)) if (by > 0) found.push(`${strategy}, ${figure}: ${by} more`);
  }
  return found;
}

/** The figures of /trust: the most that any strategy reached with ten SUI, over all simulated sites. */
export function lieCostOf(tables: readonly SimulatedTable[]) {
  const rows = tables.flatMap((table) => table.rows);
  const sum = (count: (row: SimulatedRow) => number): number => rows.reduce((total, row) => total + count(row), 0);
  return {
    sui: 10,
    atOnce: Math.max(...rows.map(({ tenSui }) => tenSui.atOnce)),
    lasting: Math.max(...rows.map(({ tenSui }) => tenSui.lasting)),
    bystanders: sum(({ bystanders }) => bystanders),
    harmed: sum(({ harmed }) => harmed),
  };
}
