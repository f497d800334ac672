import type { ProjectAbove, ProjectPage } from '#shared/contract/projects.ts';
import { compareKeys, RANK_MIN_VOTES, rankingVotes, rankRule, SORT_KEYS, votesForRank } from '#shared/figures/sorts.ts';
import { NO_TREND } from '#shared/figures/trending.ts';
import type { Services } from '#server/kit/services.ts';
import { firstIndex } from './feed-snapshot.ts';
import { orderedOnce } from './ordered.ts';
import { type FoundProject, toProjectPage } from './queries.ts';

const keyOf = SORT_KEYS.verified;
type Listed = Parameters<typeof keyOf>[0];
type Votes = Parameters<typeof votesForRank>[0];

/** The project before this one in the order 'Verified', ties included (R44); null at the top. */
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
  const [low, high] = isRanked ? [0, ranked] : [ranked, rows.length];
  const isBehind = (row: Listed | undefined) => row !== undefined && compareKeys(keyOf(row), key) >= 0;
  const before = low + firstIndex(high - low, (index) => isBehind(rows[low + index]));
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
