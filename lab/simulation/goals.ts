import type { Services } from '#server/kit/services.ts';
import { RANK_MIN_VOTES, rankRule, type Sortable, votesForRank } from '#shared/figures/sorts.ts';
import {
  asRenamed,
  type Board,
  type Counted,
  inOrder,
  NOTHING_SINCE,
  readAttacks,
  readBoard,
  readSince,
  type Since,
  sinceWith,
  valueOf,
  withVotes,
} from './board.ts';
import type { Field } from './field.ts';
import type { PlaceId, SimulatedOrder } from './results.ts';

const POINTS = 10;
const MAX_WALLETS = 6_000;

/** Figures of the product on an evening, without the votes of any attack. */
export interface Measured {
  board: Board;
  /** Honest votes on the renamed listing since it was renamed, and its row as if it had kept its name. */
  since: Since;
  unrenamed: Sortable;
}

/** @throws where the product counts less than the attacks have cast, or counts the votes since a change of identity in another way */
export async function measure(services: Services, { renamed }: Field, day: number): Promise<Measured> {
  const whole = await readBoard(services);
  const board = new Map(whole);
  const { since: all, trend } = await readSince(services.db, renamed);
  const row = whole.get(renamed);
  if (!row) throw new Error('the renamed project has gone');
  const { verifiedSince: _, rankVotes: __, ...before } = { ...row, trend };
  expectEqual(row, asRenamed(before, all));
  board.set(renamed, before);
  let since = all;
  for (const { projectId, bullish, ...counted } of await readAttacks(services.db, day)) {
    const voted = board.get(projectId);
    if (voted) board.set(projectId, withVotes(voted, bullish, counted, -1));
    if (projectId === renamed) since = sinceWith(since, counted, -1);
  }
  for (const { id, bullishVotes, bearishVotes, ...counts } of board.values())
    if (Math.min(bullishVotes, bearishVotes, ...Object.values(counts.verified), ...Object.values(counts.trend)) < 0)
      throw new Error(`the product counts fewer votes of project ${id} than the attacks have cast`);
  const unrenamed = requireRow(board, renamed);
  return { board: board.set(renamed, asRenamed(unrenamed, since)), since, unrenamed };
}

function requireRow(board: Board, id: number): Sortable {
  const row = board.get(id);
  if (!row) throw new Error(`project ${id} has gone`);
  return row;
}

function expectEqual(shown: Sortable, computed: Sortable): void {
  const figures = ({ verifiedSince, rankVotes, trend: { bullish, bearish, weight } }: Sortable): string =>
    JSON.stringify([verifiedSince ?? null, rankVotes, bullish, bearish, weight]);
  if (figures(shown) !== figures(computed))
    throw new Error(`since its change project ${shown.id} has ${figures(shown)}, not ${figures(computed)}`);
}

/** Figures of the first n wallets of an attack on one evening; a pattern repeats. */
export interface Facts {
  verified: readonly boolean[];
  /** Weights in 'Trending', 0 for a vote that is too old. */
  weights: readonly number[];
}

export function countedOf({ verified, weights }: Facts, wallets: number): Counted {
  const counted = { votes: wallets, verified: 0, recent: 0, weight: 0 };
  for (const [place, isVerified] of verified.entries()) {
    const times = Math.max(0, Math.ceil((wallets - place) / verified.length));
    const weight = weights[place] ?? 0;
    if (!isVerified) continue;
    counted.verified += times;
    if (weight > 0) counted.recent += times;
    counted.weight += times * weight;
  }
  return counted;
}

/** The first number from 0 to `most` that satisfies the condition; null when `most` does not. */
function firstWhere(most: number, isSo: (count: number) => boolean): number | null {
  if (!isSo(most)) return null;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Aim {
  /** The project that is lifted, and the votes on it since a change of its identity. */
  row: Sortable;
  since?: Since;
  /** Projects that get bearish votes. */
  rivals: readonly number[];
  /** The figure to reach. */
  value: number;
}

function aimOf(place: PlaceId, order: SimulatedOrder, { board, since, unrenamed }: Measured, field: Field): Aim {
  const { target, own, rivals } = field;
  if (place === 'friends') {
    const row = requireRow(board, inOrder(order, board)[0] ?? 0);
    return { row, since: NOTHING_SINCE, rivals: [], value: valueOf(order, row) };
  }
  const row = place === 'renamed' ? unrenamed : requireRow(board, place === 'old' ? target : own);
  return { row, ...(place === 'renamed' && { since }), rivals, value: valueOf(order, row) + POINTS };
}

function boardWith({ board }: Measured, { row, since, rivals }: Aim, counted: Counted): Board {
  const next = new Map(board);
  for (const rival of rivals) next.set(rival, withVotes(requireRow(board, rival), false, counted));
  const lifted = withVotes(row, true, counted);
  return next.set(row.id, since ? asRenamed(lifted, sinceWith(since, counted)) : lifted);
}

export interface Needed {
  first: number | null;
  points: number | null;
  /** Verified votes that the project lacks for a rank. */
  lacking: number;
}

/** Numbers of wallets needed for rank 1 and for the points; null where no number is enough. */
export function neededWallets(
  place: PlaceId,
  order: SimulatedOrder,
  { measured, field, facts }: { measured: Measured; field: Field; facts: Facts },
): Needed {
  const aim = aimOf(place, order, measured, field);
  const boardOf = (wallets: number): Board => boardWith(measured, aim, countedOf(facts, wallets));
  const none = boardOf(0);
  const votes = votesForRank(requireRow(none, aim.row.id));
  const isRanked = rankRule([...none.values()], votesForRank)(requireRow(none, aim.row.id));
  return {
    first: firstWhere(MAX_WALLETS, (wallets) => inOrder(order, boardOf(wallets))[0] === aim.row.id),
    points: firstWhere(MAX_WALLETS, (wallets) => valueOf(order, boardOf(wallets).get(aim.row.id)) >= aim.value),
    lacking: isRanked ? 0 : RANK_MIN_VOTES - votes,
  };
}
