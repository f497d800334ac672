import type { LeaderboardRow, ListedProject } from '../contract/projects.ts';
import { confidence, type VoteCounts } from '../numbers/interval.ts';
import { hasRanks, type Sort } from '../listings/sort-names.ts';
import { trendScore } from './trending.ts';

/** The verified votes that rank a project: all of them, or those since a change of identity (R60). */
export const rankingVotes = (project: Pick<Sortable, 'verified' | 'verifiedSince'>): VoteCounts =>
  project.verifiedSince ?? project.verified;

export function verifiedBound(project: Pick<Sortable, 'verified' | 'verifiedSince'>): number {
  const { bullish, bearish } = rankingVotes(project);
  return confidence(bullish, bearish);
}

/** Verified votes that a project needs for a rank; the rule applies once this many projects would have one (R27). */
export const RANK_MIN_VOTES = 10;
export const RANK_MIN_PROJECTS = 3;

/** The verified votes that count for a rank: all of them, or those since the last change of identity (R60). */
export const votesForRank = ({ rankVotes, verified }: Pick<Sortable, 'rankVotes' | 'verified'>): number =>
  rankVotes ?? verified.bullish + verified.bearish;

/** On a young site too few projects have a rank, so that every project gets one. */
function isYoungSite<T>(rows: readonly T[], votesOf: (row: T) => number): boolean {
  let found = 0;
  for (const row of rows) {
    if (votesOf(row) >= RANK_MIN_VOTES) found += 1;
    if (found === RANK_MIN_PROJECTS) return false;
  }
  return true;
}

/** Which rows of a leaderboard have a rank, by their votes for it (R27): the one rule of every place that shows or recomputes ranks. */
export function rankRule<T>(rows: readonly T[], votesOf: (row: T) => number): (row: T) => boolean {
  const isYoung = isYoungSite(rows, votesOf);
  return (row) => isYoung || votesOf(row) >= RANK_MIN_VOTES;
}

export interface Ranking<T> {
  rows: T[];
  ranked: number;
}

/** A leaderboard in its order, with the rows that have a rank moved to the front. */
export function rankRows<T>(rows: readonly T[], votesOf: (row: T) => number): Ranking<T> {
  const isRanked = rankRule(rows, votesOf);
  const first = rows.filter((row) => isRanked(row));
  return { rows: [...first, ...rows.filter((row) => !isRanked(row))], ranked: first.length };
}

/** The rank of the row at this index, from 0. */
export const rankAt = (index: number, { ranked }: Pick<Ranking<unknown>, 'ranked'>): number | null =>
  index < ranked ? index + 1 : null;

export const EARLY_DAYS = 'Early days: places change with every vote';
/** Whether these rows are of a young site: one has a rank without the votes for it, or the first of all are too few. */
export const isEarly = (
  rows: ReadonlyArray<Pick<LeaderboardRow, 'rank' | 'rankVotes' | 'verified'>>,
  isFiltered = false,
): boolean =>
  rows.some(
    (row) =>
      row.rank !== null && (votesForRank(row) < RANK_MIN_VOTES || (!isFiltered && rows.length < RANK_MIN_PROJECTS)),
  );

export type Sortable = Pick<
  ListedProject,
  'id' | 'createdAt' | 'bullishVotes' | 'bearishVotes' | 'verified' | 'verifiedSince' | 'rankVotes' | 'trend'
>;

/** Position of a project in an order: greater numbers come first, the first difference decides. */
export type SortKey = readonly number[];

export function bullishKey({ id, createdAt, bullishVotes, bearishVotes }: Omit<Sortable, 'trend'>): SortKey {
  const total = bullishVotes + bearishVotes;
  return [total === 0 ? -1 : bullishVotes / total, total, -Date.parse(createdAt), -id];
}

export const SORT_KEYS: Record<Sort, (project: Sortable) => SortKey> = {
  bullish: bullishKey,
  verified: (project) => [verifiedBound(project), ...bullishKey(project)],
  new: ({ createdAt, id }) => [Date.parse(createdAt), id],
  trending: (project) => [trendScore(project.trend), ...bullishKey(project)],
};

/** Ranks projects that are in order already; 'new' and 'trending' rank none. */
export const rankedBy = <T extends Sortable>(sort: Sort, rows: readonly T[]): Ranking<T> =>
  hasRanks(sort) ? rankRows(rows, votesForRank) : { rows: [...rows], ranked: 0 };

/** Negative if `one` comes first. */
export function compareKeys(one: SortKey, other: SortKey): number {
  for (const [i, value] of one.entries()) {
    const difference = (other[i] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}
