import type { LeaderboardRow } from '#shared/contract/projects.ts';
import type { Services } from '../services.ts';
import { firstEnd } from './active.ts';
import { listRanked } from './queries.ts';

interface Ranked {
  rows: LeaderboardRow[];
  /** When the first of its listings ends. */
  expiresAtMs: number;
}

const ROW_BYTES = 1_000;

/** The whole leaderboard from memory, read once for all requested lengths. */
export function rankedOnce(services: Pick<Services, 'cache' | 'replica'>): Promise<Ranked> {
  return services.cache.getOrLoad('ranked rows', ['projects', 'counts', 'days'], async () => {
    const rows = await listRanked(services.replica);
    const expiresAtMs = firstEnd(rows.filter(({ expired }) => !expired));
    return { value: { rows, expiresAtMs }, expiresAtMs, bytes: rows.length * ROW_BYTES };
  });
}
