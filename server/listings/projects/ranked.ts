import type { LeaderboardRow } from '#shared/contract/projects.ts';
import type { Services } from '#server/kit/services.ts';
import { isEarly, type Ranking } from '#shared/figures/sorts.ts';
import { firstEnd } from './active.ts';
import { findProjects, listRanked } from './queries.ts';

interface Ranked extends Ranking<LeaderboardRow> {
  expiresAtMs: number;
}

const ROW_BYTES = 1_000;

export function rankedOnce(services: Pick<Services, 'cache' | 'replica'>): Promise<Ranked> {
  return services.cache.getOrLoad('ranked rows', ['projects', 'counts', 'days'], async () => {
    const { rows, ranked } = await listRanked(services.replica);
    const expiresAtMs = firstEnd(rows.filter(({ expired }) => !expired));
    return { value: { rows, ranked, expiresAtMs }, expiresAtMs, bytes: rows.length * ROW_BYTES };
  });
}

export async function listTop(services: Pick<Services, 'cache' | 'replica'>, count: number) {
  const top = (await rankedOnce(services)).rows.slice(0, count);
  const rows = await findProjects(
    services.replica,
    top.map(({ id }) => id),
  );
  return { rows, isYoung: isEarly(top) };
}
