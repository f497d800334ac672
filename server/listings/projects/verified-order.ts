import type { ProjectAbove, ProjectPage } from '#shared/contract/projects.ts';
import {
  compareKeys,
  RANK_MIN_VOTES,
  rankingVotes,
  rankRule,
  SORT_KEYS,
  type SortKey,
  votesForRank,
} from '#shared/sorts.ts';
import { NO_TREND } from '#shared/trending.ts';
import type { Services } from '#server/kit/services.ts';
import { orderedOnce } from './ordered.ts';
import { type FoundProject, toProjectPage } from './queries.ts';

const keyOf = SORT_KEYS.verified;
type Listed = Parameters<typeof keyOf>[0];
type Votes = Parameters<typeof votesForRank>[0];

function countBefore(rows: readonly Listed[], key: SortKey, [low, high]: [number, number]): number {
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row && compareKeys(keyOf(row), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The project before this one in the order 'Verified', as the leaderboard shows it, ties included (R44); null at the
 * top.
 */
async function findNextAbove(services: Services, page: ReturnType<typeof toProjectPage>): Promise<ProjectAbove | null> {
  const { rows, ranked } = await orderedOnce(services, 'verified');
  const { bullishCount, bearishCount } = page;
  const key = keyOf({
    ...page,
    bullishVotes: bullishCount,
    bearishVotes: bearishCount,
    trend: NO_TREND,
  });
  const isRanked = rankRule<Votes>(rows, votesForRank)(page);
  const before = countBefore(rows, key, isRanked ? [0, ranked] : [ranked, rows.length]);
  // The list may be a moment older than the row.
  const at = rows[before - 1]?.id === page.id ? before - 2 : before - 1;
  const above = rows[at];
  if (!above) return null;
  const votesToRank = !isRanked && at < ranked ? RANK_MIN_VOTES - votesForRank(page) : 0;
  return { id: above.id, slug: above.slug, name: above.name, verified: rankingVotes(above), votesToRank };
}

export async function loadProjectPage(services: Services, row: FoundProject): Promise<ProjectPage> {
  const page = toProjectPage(row);
  return {
    ...page,
    nextAbove: await findNextAbove(services, page),
    standingMinMist: String(services.config.standingMinMist),
  };
}
