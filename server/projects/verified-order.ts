import type { ProjectAbove, ProjectPage } from '#shared/contract/projects.ts';
import { compareKeys, rankingVotes, SORT_KEYS, type SortKey } from '#shared/sorts.ts';
import { NO_TREND } from '#shared/trending.ts';
import type { Services } from '../services.ts';
import { orderedOnce } from './ordered.ts';
import { type FoundProject, toProjectPage } from './queries.ts';

const keyOf = SORT_KEYS.verified;
type Listed = Parameters<typeof keyOf>[0];

/** The number of rows before a key in a list in the order 'Verified', by binary search. */
function countBefore(rows: readonly Listed[], key: SortKey): number {
  let [low, high] = [0, rows.length];
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
  const { rows } = await orderedOnce(services, 'verified');
  const { bullishCount, bearishCount } = page;
  const key = keyOf({
    ...page,
    bullishVotes: bullishCount,
    bearishVotes: bearishCount,
    confidence: 0,
    trend: NO_TREND,
  });
  const before = countBefore(rows, key);
  // The list may be a moment older than the row.
  const above = rows[before - 1]?.id === page.id ? rows[before - 2] : rows[before - 1];
  return above ? { id: above.id, slug: above.slug, name: above.name, verified: rankingVotes(above) } : null;
}

/** Data of one project that its page shows. */
export async function loadProjectPage(services: Services, row: FoundProject): Promise<ProjectPage> {
  const page = toProjectPage(row);
  return {
    ...page,
    nextAbove: await findNextAbove(services, page),
    standingMinMist: String(services.config.standingMinMist),
  };
}
