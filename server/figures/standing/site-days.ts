import { type RawBuilder, sql } from 'kysely';

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
