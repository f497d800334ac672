import { sql } from 'kysely';
import type { Insights } from '#shared/contract/insights.ts';
import { MEDIAN_MIN_LISTINGS, MONTH_DAYS } from '#shared/figures/insights.ts';
import { RANK_MIN_VOTES } from '#shared/figures/sorts.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { orderedOnce } from '#server/listings/projects/ordered.ts';
import type { Services } from '#server/kit/services.ts';

const HOUR_MS = 3_600_000;

type Sums = Omit<NonNullable<Insights['medians']>, 'share'>;

/** Sums of the last closed days. Medians of a handful of listings would reveal the figures of one of them. */
function mediansOnce({ cache, replica }: Services, category: string): Promise<Sums | null> {
  return cache.getOrLoad(`medians of ${category}`, ['trust'], async () => {
    const days = sql`day BETWEEN c.day - ${MONTH_DAYS - 1}::int AND c.day`;
    const { rows } = await sql<Sums>`
      SELECT count(*)::int AS listings, percentile_cont(0.5) WITHIN GROUP (ORDER BY votes) AS votes, percentile_cont(0.5) WITHIN GROUP (ORDER BY views) AS views,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY clicks) AS clicks, percentile_cont(0.5) WITHIN GROUP (ORDER BY shares) AS shares
      FROM projects p CROSS JOIN (SELECT max(day) AS day FROM closed_days) c CROSS JOIN LATERAL (
        SELECT coalesce(sum(d.votes), 0)::float8 AS votes FROM project_days d WHERE d.project_id = p.id AND d.${days}) v CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.count) FILTER (WHERE e.kind = 'view'), 0)::float8 AS views, coalesce(sum(e.count) FILTER (WHERE e.kind = 'click'), 0)::float8 AS clicks,
          coalesce(sum(e.count) FILTER (WHERE e.kind = 'share'), 0)::float8 AS shares
        FROM project_events_days e WHERE e.project_id = p.id AND e.${days}) s
      WHERE p.listed AND p.expires_at > now() AND p.category = ${category} AND c.day IS NOT NULL
      HAVING count(*) >= ${MEDIAN_MIN_LISTINGS}`.execute(replica);
    return { value: rows[0] ?? null, expiresAtMs: Date.now() + HOUR_MS };
  });
}

function medianOf(values: number[]): number | null {
  if (values.length < MEDIAN_MIN_LISTINGS) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.round((low + high) / 2);
}

/** Where a listing stands in its category (R96). */
export async function standInCategory(
  services: Services,
  { id, category }: { id: number; category: string },
): Promise<Pick<Insights, 'place' | 'medians'>> {
  const [{ rows, ranked }, sums] = await Promise.all([
    orderedOnce(services, 'verified'),
    mediansOnce(services, category),
  ]);
  const peers = rows.slice(0, ranked).filter((row) => row.category === category);
  const at = peers.findIndex((row) => row.id === id);
  const shares = peers.flatMap(({ expired, verified: { bullish, bearish } }) =>
    expired || bullish + bearish < RANK_MIN_VOTES ? [] : bullishPercentage(bullish, bearish),
  );
  return {
    place: at < 0 ? null : { place: at + 1, of: peers.length },
    medians: sums && { ...sums, share: medianOf(shares) },
  };
}
