import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { HOLDERS_EVERY_DAYS, HOLDERS_MIN_VOTES } from '#shared/holders.ts';
import { HOLDER_DAYS, HOLDER_NEEDED_DAYS } from '#shared/states/votes.ts';
import { verifiedVotes } from '#server/books/opinions.ts';
import { isRead } from './coins.ts';

async function nextProject(db: Db, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT min(project_id) AS id FROM holder_standing WHERE project_id > ${after}`.execute(db);
  return rows[0]?.id ?? null;
}

/** After the seventh day that the site read, nothing but a change of direction moves a voter to the other group. */
async function fixGroups(trx: Db, projectId: number, day: string): Promise<void> {
  const due = sql`project_id = ${projectId} AND fixed_on IS NULL
    AND (SELECT count(*) FROM holder_readings r WHERE r.day > since AND r.day <= ${day}::date) >= ${sql.lit(HOLDER_DAYS)}`;
  await sql`DELETE FROM holder_standing WHERE days_read < ${sql.lit(HOLDER_NEEDED_DAYS)} AND ${due}`.execute(trx);
  await sql`UPDATE holder_standing SET fixed_on = ${day}::date WHERE ${due}`.execute(trx);
}

async function countProject(trx: Db, projectId: number, day: string): Promise<void> {
  await sql`
    WITH listing AS MATERIALIZED (
      SELECT p.id, CASE WHEN l.day > p.coin_set_on THEN l.day END AS counted_on
      FROM projects p LEFT JOIN LATERAL (SELECT day FROM holder_figures f WHERE f.project_id = p.id ORDER BY f.day DESC LIMIT 1) l ON true
      WHERE p.id = ${projectId} AND ${isRead} AND (l.day IS NULL OR l.day <= ${day}::date - ${HOLDERS_EVERY_DAYS}::int)
    ), counted AS (
      SELECT l.id, count(*) FILTER (WHERE x.holds AND s.bullish) AS holders_bullish, count(*) FILTER (WHERE x.holds AND NOT s.bullish) AS holders_bearish,
        count(*) FILTER (WHERE NOT x.holds AND s.bullish) AS others_bullish, count(*) FILTER (WHERE NOT x.holds AND NOT s.bullish) AS others_bearish,
        count(*) FILTER (WHERE l.counted_on IS NULL OR h.fixed_on > l.counted_on) AS fresh
      FROM listing l JOIN holder_standing h ON h.project_id = l.id AND h.fixed_on IS NOT NULL
      CROSS JOIN LATERAL (SELECT h.days_held >= ${sql.lit(HOLDER_NEEDED_DAYS)} AS holds) x
      JOIN ${verifiedVotes} s ON s.user_id = h.user_id AND s.project_id = h.project_id AND s.bullish = h.bullish
      GROUP BY l.id
    )
    INSERT INTO holder_figures (project_id, day, holders_bullish, holders_bearish, others_bullish, others_bearish)
    SELECT id, ${day}::date, holders_bullish, holders_bearish, others_bullish, others_bearish FROM counted
    WHERE least(holders_bullish + holders_bearish, others_bullish + others_bearish, fresh) >= ${HOLDERS_MIN_VOTES}
    ON CONFLICT DO NOTHING`.execute(trx);
}

export async function countFigures(db: Db, day: string): Promise<void> {
  for (let after = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one project after the other
    const projectId = await nextProject(db, after);
    if (projectId === null) return;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await deleteInBatches(db, {
      table: 'holder_standing',
      find: (limit) => sql`SELECT ctid FROM holder_standing h WHERE project_id = ${projectId}
        AND NOT EXISTS (SELECT FROM projects p WHERE p.id = ${projectId} AND ${isRead} AND h.since >= p.coin_set_on) LIMIT ${limit}`,
    });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await longTransaction(db, async (trx) => {
      await fixGroups(trx, projectId, day);
      await countProject(trx, projectId, day);
    });
    after = projectId;
  }
}
