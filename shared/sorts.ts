import type { ListedProject } from './contract/projects.ts';
import { confidence, type VoteCounts } from './interval.ts';
import type { Sort } from './sort-names.ts';
import { trendScore } from './trending.ts';

/** The verified votes that rank a project: all of them, or those since a change of identity (R60). */
export const rankingVotes = (project: Pick<Sortable, 'verified' | 'verifiedSince'>): VoteCounts =>
  project.verifiedSince ?? project.verified;

/** Lower bound of the interval of these votes, 0..1. */
export function verifiedBound(project: Pick<Sortable, 'verified' | 'verifiedSince'>): number {
  const { bullish, bearish } = rankingVotes(project);
  return confidence(bullish, bearish);
}

/** Figures that orders use. None of them can be bought: no payment, no end of a listing, no view. */
export type Sortable = Pick<
  ListedProject,
  'id' | 'createdAt' | 'bullishVotes' | 'bearishVotes' | 'confidence' | 'verified' | 'verifiedSince' | 'trend'
>;

/** Position of a project in an order: greater numbers come first, the first difference decides. */
export type SortKey = readonly number[];

/** Bullish share, total votes, age; those without votes last (R27). */
function bullishKey({ id, createdAt, bullishVotes, bearishVotes }: Sortable): SortKey {
  const total = bullishVotes + bearishVotes;
  return [total === 0 ? -1 : bullishVotes / total, total, -Date.parse(createdAt), -id];
}

export const SORT_KEYS: Record<Sort, (project: Sortable) => SortKey> = {
  bullish: bullishKey,
  confidence: (project) => [project.confidence, ...bullishKey(project)],
  verified: (project) => [verifiedBound(project), ...bullishKey(project)],
  new: ({ createdAt, id }) => [Date.parse(createdAt), id],
  trending: (project) => [trendScore(project.trend), ...bullishKey(project)],
};

/** Negative where `one` comes first. */
export function compareKeys(one: SortKey, other: SortKey): number {
  for (const [i, value] of one.entries()) {
    const difference = (other[i] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}
