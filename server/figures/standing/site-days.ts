import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Standing } from '#shared/contract/standing.ts';
import { STANDING_WINDOW_DAYS, type VoterState } from '#shared/states/votes.ts';
import type { Voter } from '#shared/figures/when-counts.ts';
import { notFound } from '#server/kit/http/errors.ts';
import type { Config } from '#server/kit/config.ts';

/** Days of the site on which a wallet was read, held enough, and could not be read. */
export interface SiteDays {
  read: number;
  held: number;
  unread: number;
}

/** SiteDays of the row `s` of voter_standing, for a lateral join. On days of the site after read_on the wallet was not asked. */
export const siteDays = (days: number): RawBuilder<SiteDays> => sql<SiteDays>`(
  SELECT bit_count(s.history_read & m.mask)::int AS read, bit_count(s.history_held & m.mask)::int AS held,
    bit_count(s.history_unread & m.mask)::int AS unread
  FROM (SELECT (-1)::bit(64) >> (${sql.lit(64 - days)} + count(*)::int) AS mask
    FROM (SELECT day FROM standing_days WHERE skipped IS NULL ORDER BY day DESC LIMIT ${sql.lit(days)}) d WHERE d.day > s.read_on) m)`;

type Days = Standing['days'];

/** @throws 404 */
export async function findVoter(
  db: Db,
  { standingMinDays, standingMinMist }: Pick<Config, 'standingMinDays' | 'standingMinMist'>,
  userId: number,
): Promise<Voter & { days: Days }> {
  const { rows } = await sql<{ createdAt: Date; state: VoterState | null; days: Days | null }>`
    SELECT u.created_at, s.state, (
      SELECT json_agg(json_build_object('day', d.day, 'result', CASE
          WHEN d.place < 64 AND get_bit(s.history_held, 63 - d.place) = 1 THEN 'held'
          WHEN d.place < 64 AND get_bit(s.history_read, 63 - d.place) = 1 THEN 'not_held' ELSE 'unread' END) ORDER BY d.day)
      FROM (
        SELECT day, CASE WHEN day <= s.read_on THEN (row_number() OVER (PARTITION BY day <= s.read_on ORDER BY day DESC))::int - 1 ELSE 64 END AS place
        FROM standing_days WHERE skipped IS NULL ORDER BY day DESC LIMIT ${sql.lit(STANDING_WINDOW_DAYS)}
      ) d) AS days
    FROM users u LEFT JOIN voter_standing s ON s.user_id = u.id WHERE u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound('user_not_found', 'User not found');
  const days = row.days ?? [];
  return {
    state: row.state ?? 'waiting',
    oldEnoughAt: new Date(row.createdAt.getTime() + standingMinDays * 86_400_000).toISOString(),
    days,
    daysRead: days.filter(({ result }) => result !== 'unread').length,
    minMist: standingMinMist.toString(),
  };
}
