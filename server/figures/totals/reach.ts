import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { closeSupply } from './close-supply.ts';
import { FIRST_DAYS, REACH_DAYS, type Reach } from '#shared/contract/standing.ts';

/** Marks a day as closed, with the supply, and the reach of a new listing (R92) from the site's own last 30 days. */
export async function markClosed(trx: Db, { day, until }: { day: string; until: string }): Promise<void> {
  await sql`
    INSERT INTO closed_days (day, until, voters, listings, first_week_votes)
    SELECT ${day}::date, ${until}::timestamptz, (SELECT count(*)::int FROM user_stats s WHERE s.last_day > ${day}::date - ${REACH_DAYS}::int AND (s.last_day <= ${day}::date
        OR EXISTS (SELECT FROM opinions o WHERE o.user_id = s.user_id AND o.said_at < ${until}::timestamptz
          AND o.said_at >= (${day}::date + 1 - ${REACH_DAYS}::int)::timestamp AT TIME ZONE 'UTC'))),
      count(*)::int, percentile_disc(0.5) WITHIN GROUP (ORDER BY w.votes)::int
    FROM (
      SELECT coalesce((SELECT sum(d.votes) FROM project_days d WHERE d.project_id = p.id
        AND d.day >= x.day AND d.day < x.day + ${FIRST_DAYS}::int), 0)::int AS votes
      FROM projects p CROSS JOIN LATERAL (SELECT (p.created_at AT TIME ZONE 'UTC')::date AS day) x
      WHERE p.hidden_at IS NULL AND x.day > ${day}::date + 1 - ${REACH_DAYS}::int AND x.day <= ${day}::date + 1 - ${FIRST_DAYS}::int
    ) w`.execute(trx);
  await closeSupply(trx, day);
}

/** The reach as of the last closed day. */
export async function findReach(db: Db): Promise<Reach> {
  const { rows } = await sql<Reach>`
    SELECT day::text AS day, voters, listings, first_week_votes FROM closed_days ORDER BY closed_days.day DESC LIMIT 1`.execute(
    db,
  );
  return rows[0] ?? { day: null, voters: 0, listings: 0, firstWeekVotes: null };
}
