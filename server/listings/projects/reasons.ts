import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { TREND_MAX_DAYS } from '#shared/contract/trends.ts';
import type { ReasonFigures } from '#shared/contract/types.ts';

/** Rows of reason_figures as f. */
const figures = sql`json_build_object('day', f.day, 'group', CASE WHEN f.verified THEN 'verified' ELSE 'others' END,
  'direction', CASE WHEN f.bullish THEN 'bullish' ELSE 'bearish' END, 'voters', f.voters, 'team', f.team, 'product', f.product,
  'token', f.token, 'risk', f.risk, 'community', f.community)`;

/** The newest figures of each group and direction. Needs `projects`. */
export const newestReasons = sql<ReasonFigures[]>`(
  SELECT coalesce(json_agg(${figures} ORDER BY f.verified DESC, f.bullish DESC), '[]') FROM (
    SELECT DISTINCT ON (r.verified, r.bullish) r.* FROM reason_figures r WHERE r.project_id = projects.id AND r.is_public
    ORDER BY r.verified DESC, r.bullish DESC, r.day DESC) f)`;

/** The figures that the owner sees. */
export async function listReasons(db: Db, projectId: number): Promise<ReasonFigures[]> {
  const { rows } = await sql<{ figures: ReasonFigures }>`SELECT ${figures} AS figures FROM reason_figures f
    WHERE f.project_id = ${projectId} AND NOT f.is_public AND f.day > (now() AT TIME ZONE 'UTC')::date - ${TREND_MAX_DAYS}::int
    ORDER BY f.day, f.verified DESC, f.bullish DESC`.execute(db);
  return rows.map(({ figures: one }) => one);
}
