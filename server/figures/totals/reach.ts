import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Reach } from '#shared/contract/standing.ts';

/** The reach of a new listing (R92), from the site's own last 30 days: users by their last day, listings by the days that are counted. */
export async function findReach(db: Db): Promise<Reach> {
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  const { rows } = await sql<Reach>`
    SELECT (SELECT count(*)::int FROM user_stats WHERE last_day > ${today} - 30) AS voters, count(*)::int AS listings,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY w.votes)::int AS first_week_votes
    FROM (
      SELECT coalesce((SELECT sum(d.votes) FROM project_days d WHERE d.project_id = p.id
        AND d.day >= x.day AND d.day < x.day + 7), 0)::int AS votes
      FROM projects p CROSS JOIN LATERAL (SELECT (p.created_at AT TIME ZONE 'UTC')::date AS day) x
      WHERE p.hidden_at IS NULL AND x.day > ${today} - 37 AND x.day <= ${today} - 7
    ) w`.execute(db);
  return rows[0] ?? { voters: 0, listings: 0, firstWeekVotes: null };
}
