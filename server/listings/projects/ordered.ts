import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ListedProject } from '#shared/contract/projects.ts';
import type { Sort } from '#shared/sort-names.ts';
import { compareKeys, rankedBy, type Ranking, SORT_KEYS } from '#shared/sorts.ts';
import { NO_TREND, type Trend, trendScore } from '#shared/trending.ts';
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
const listYoungTrends = (replica: Db) =>
  replica
    .selectFrom('identityChanges as c')
    .innerJoin('verifiedStats as v', 'v.projectId', 'c.projectId')
    .select(['c.projectId', 'c.trendBullish as bullish', 'c.trendBearish as bearish', 'c.trendWeight as weight'])
    .where(sql<boolean>`2 * (c.bullish + c.bearish) < v.bullish + v.bearish`)
    .execute();

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
