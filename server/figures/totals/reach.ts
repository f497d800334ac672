import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { FIRST_DAYS, REACH_DAYS, type Reach } from '#shared/contract/standing.ts';

/** The reach of a new listing (R92), from the site's own last 30 days: users by their last day, listings by the days that are counted. */
export async function findReach(db: Db): Promise<Reach> {
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  const { rows } = await sql<Reach>`
    SELECT (${today} - 1)::text AS day, (SELECT count(*)::int FROM user_stats WHERE last_day > ${today} - ${REACH_DAYS}::int) AS voters,
      count(*)::int AS listings, percentile_disc(0.5) WITHIN GROUP (ORDER BY w.votes)::int AS first_week_votes
    FROM (
      SELECT coalesce((SELECT sum(d.votes) FROM project_days d WHERE d.project_id = p.id
        AND d.day >= x.day AND d.day < x.day + ${FIRST_DAYS}::int), 0)::int AS votes
      FROM projects p CROSS JOIN LATERAL (SELECT (p.created_at AT TIME ZONE 'UTC')::date AS day) x
      WHERE p.hidden_at IS NULL AND x.day > ${today} - ${REACH_DAYS}::int AND x.day <= ${today} - ${FIRST_DAYS}::int
    ) w`.execute(db);
  const [reach] = rows;
  if (!reach) throw new Error('no figures of the reach');
  return reach;
}
