import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { HOLDERS_EVERY_DAYS, HOLDERS_MIN_VOTES } from '#shared/holders.ts';
import { RETENTION } from '#shared/retention.ts';
import { HOLDER_NEEDED_DAYS } from '#shared/states/votes.ts';
import { newestOpinion, verifiedVotes } from '#server/books/opinions.ts';
import { isRead } from './coins.ts';

async function nextProject(db: Db, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT min(project_id) AS id FROM holder_standing WHERE project_id > ${after}`.execute(db);
  return rows[0]?.id ?? null;
}

async function countProject(trx: Db, projectId: number, day: string): Promise<void> {
  await sql`
    WITH listing AS MATERIALIZED (
      SELECT p.id, p.coin_set_on, CASE WHEN l.day > p.coin_set_on THEN l.counted_at END AS counted_at
      FROM projects p LEFT JOIN LATERAL (SELECT day, counted_at FROM holder_figures f WHERE f.project_id = p.id ORDER BY f.day DESC LIMIT 1) l ON true
      WHERE p.id = ${projectId} AND ${isRead} AND (l.day IS NULL OR l.day <= ${day}::date - ${HOLDERS_EVERY_DAYS}::int)
    ), counted AS (
      SELECT l.id, count(*) FILTER (WHERE x.holds AND s.bullish) AS holders_bullish, count(*) FILTER (WHERE x.holds AND NOT s.bullish) AS holders_bearish,
        count(*) FILTER (WHERE NOT x.holds AND s.bullish) AS others_bullish, count(*) FILTER (WHERE NOT x.holds AND NOT s.bullish) AS others_bearish,
        -- Confirmations move no figure: ten of them would leave a difference caused by one voter.
        count(*) FILTER (WHERE l.counted_at IS NULL OR s.turned_at >= l.counted_at AND s.bullish IS DISTINCT FROM (
          SELECT n.bullish FROM ${newestOpinion(sql`s.user_id`, sql`l.id`, sql`o.said_at < l.counted_at`)} n)) AS fresh
      FROM listing l JOIN holder_standing h ON h.project_id = l.id AND h.days_read >= ${sql.lit(HOLDER_NEEDED_DAYS)} AND h.read_on > l.coin_set_on
      CROSS JOIN LATERAL (SELECT bit_count(h.days_held::int::bit(7)) >= ${sql.lit(HOLDER_NEEDED_DAYS)} AS holds) x
      JOIN ${verifiedVotes} s ON s.user_id = h.user_id AND s.project_id = h.project_id
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
      find: (
        limit,
      ) => sql`SELECT ctid FROM holder_standing WHERE project_id = ${projectId} AND (read_on < ${day}::date - ${RETENTION.holders.kept.days}::int
        OR NOT EXISTS (SELECT FROM projects p WHERE p.id = ${projectId} AND ${isRead})) LIMIT ${limit}`,
    });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await longTransaction(db, (trx) => countProject(trx, projectId, day));
    after = projectId;
  }
}
