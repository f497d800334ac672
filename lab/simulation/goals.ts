import { confidence } from '#shared/interval.ts';
import { type Cost, SIMULATED_ORDERS, type SimulatedOrder } from './results.ts';
import { compareKeys, rankedBy, rankingVotes, SORT_KEYS, type Sortable } from '#shared/sorts.ts';
import { add, type Board, type Counted } from './board.ts';

const POINTS = 10;
const SORT_OF = {
  bullish: 'bullish',
  verified: 'verified',
  trending: 'trending',
  lasting: 'verified',
} as const;

export function valueOf(order: SimulatedOrder, row: Sortable | undefined): number {
  if (!row) return 0;
  const { bullishVotes, bearishVotes, trend } = row;
  const total = bullishVotes + bearishVotes;
  if (order === 'bullish') return total === 0 ? 0 : (100 * bullishVotes) / total;
  const { bullish, bearish } = order === 'trending' ? trend : rankingVotes(row);
  return 100 * confidence(bullish, bearish);
}

type Without = ReadonlySet<number>;
const ALL: Without = new Set();

/** Projects by the figure of an order, whether they have a rank or not. */
function byFigure(order: SimulatedOrder, board: Board, without: Without): Sortable[] {
  const keyOf = SORT_KEYS[SORT_OF[order]];
  return [...board.values()]
    .filter(({ id }) => !without.has(id))
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((one, other) => compareKeys(one.key, other.key))
    .map(({ row }) => row);
}

const idsOf = (rows: readonly Sortable[]): number[] => rows.map(({ id }) => id);
export const inOrderOfFigures = (order: SimulatedOrder, board: Board): number[] => idsOf(byFigure(order, board, ALL));
/** Projects by their position in an order, those without a rank after those with one (R27). */
export const inOrder = (order: SimulatedOrder, board: Board, without = ALL): number[] =>
  idsOf(rankedBy(SORT_OF[order], byFigure(order, board, without)).rows);

export function rankOf(order: SimulatedOrder, board: Board, id: number, without = ALL): number {
  const at = inOrder(order, board, without).indexOf(id);
  return at === -1 ? Infinity : at + 1;
}

/** The first number from 0 to `most` that satisfies the condition; null when `most` does not. */
export function firstWhere(most: number, isSo: (count: number) => boolean): number | null {
  if (!isSo(most)) return null;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Question {
  board: Board;
  votes: readonly Counted[];
  wallets: number;
  target: number;
  /** Listings of other attacks. */
  without: Without;
}

/** Number of wallets needed for rank 1, and for ten more points; null when all of them are too few. */
export function neededWallets(order: SimulatedOrder, { board, votes, wallets, target, without }: Question) {
  const boards = new Map<number, Board>();
  const boardOf = (count: number): Board => {
    const own = votes.filter(({ place }) => place < count);
    const known = boards.get(count) ?? add(board, own, 1);
    boards.set(count, known);
    return known;
  };
  const valueWith = (count: number): number => valueOf(order, boardOf(count).get(target));
  const aim = valueWith(0) + POINTS;
  return {
    first: firstWhere(wallets, (count) => rankOf(order, boardOf(count), target, without) === 1),
    points: firstWhere(wallets, (count) => valueWith(count) >= aim),
  };
}

/** The cheaper of two ways to reach a goal: fewer wallets, then less SUI, then sooner. */
export function cheaperOf(one: Cost, other: Cost): Cost {
  if (one === null || other === null) return one ?? other;
  const by = one.wallets - other.wallets || one.sui - other.sui || one.days - other.days;
  return by <= 0 ? one : other;
}

export const ORDERS_OF_A_DAY = SIMULATED_ORDERS.filter((order) => order !== 'lasting');
/** Orders whose goals need standing. */
export const needsCoins = (order: SimulatedOrder): boolean => order !== 'bullish';
