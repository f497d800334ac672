import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ListedProject } from '#shared/contract/projects.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { compareKeys, rankedBy, type Ranking, SORT_KEYS } from '#shared/figures/sorts.ts';
import { NO_TREND, type Trend, trendScore } from '#shared/figures/trending.ts';
import type { Services } from '#server/kit/services.ts';
import { rankedOnce } from './ranked.ts';

const ENTRY_BYTES = 150;

type Unranked = Omit<ListedProject, 'rank'>;

export interface Ordered extends Ranking<Unranked> {
  expiresAtMs: number;
}

type OrderServices = Pick<Services, 'cache' | 'replica'>;

async function listTrends({ replica }: OrderServices): Promise<Map<number, Trend>> {
  const rows = await replica.selectFrom('projectTrends').selectAll().execute();
  const trends = new Map<number, Trend>(rows.map(({ projectId, ...trend }) => [projectId, trend]));
  for (const { projectId, ...since } of await listYoungTrends(replica)) {
    const trend = trends.get(projectId);
    if (trend && trendScore(since) < trendScore(trend)) trends.set(projectId, since);
  }
  return trends;
}

/** Changes of identity with fewer verified votes since than before (R60; isYoung). */
async function listYoungTrends(replica: Db) {
  const { rows } = await sql<Trend & { projectId: number }>`
    SELECT c.project_id, c.trend_bullish AS bullish, c.trend_bearish AS bearish, c.trend_weight AS weight
    FROM open_identity_changes c JOIN verified_stats v USING (project_id)
    WHERE 2 * (c.bullish + c.bearish) < v.bullish + v.bearish ORDER BY c.project_id, c.identity`.execute(replica);
  return rows;
}

function withTrends(services: OrderServices): Promise<Omit<Ordered, 'ranked'>> {
  return services.cache.getOrLoad('projects with trends', ['projects', 'counts', 'days'], async () => {
    const [{ rows, expiresAtMs }, trends] = await Promise.all([rankedOnce(services), listTrends(services)]);
    const value = rows.map((row) => ({ ...row, trend: trends.get(row.id) ?? NO_TREND }));
    return { value: { rows: value, expiresAtMs }, expiresAtMs, bytes: rows.length * ENTRY_BYTES };
  });
}

export function orderedOnce(services: OrderServices, sort: Sort): Promise<Ordered> {
  return services.cache.getOrLoad(`projects by ${sort}`, ['projects', 'counts', 'days'], async () => {
    const { rows, expiresAtMs } = await withTrends(services);
    const keyed = rows.map((row) => ({ row, key: SORT_KEYS[sort](row) }));
    keyed.sort((one, other) => compareKeys(one.key, other.key));
    const ordered = keyed.map(({ row }) => row);
    const value = { ...rankedBy(sort, ordered), expiresAtMs };
    return { value, expiresAtMs, bytes: rows.length * 8 };
  });
}
