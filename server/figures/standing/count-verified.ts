import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { STANDING_EXCUSED_DAYS, STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';
import type { Services } from '#server/kit/services.ts';
import { ensureState } from '../totals/cursor.ts';
import { ensureCounts, moveTotals } from '../totals/move.ts';
import { siteDays } from './site-days.ts';

type CountServices = Pick<Services, 'db' | 'undoWindowMs'> & { config: Pick<Services['config'], 'standingMinDays'> };

const SLICE = 2_000;

/** By the rule of `voterState` in shared/states/votes.ts. */
async function refreshStates(db: Db, minDays: number, userIds: readonly number[]): Promise<void> {
  await sql`
    WITH present AS (
      SELECT s.user_id, (CASE
        WHEN u.created_at > now() - ${minDays}::int * interval '1 day' OR d.read < n.needed THEN 'waiting'
        WHEN d.held < n.needed THEN 'no_standing'
        ELSE 'standing' END)::voter_state AS state
      FROM voter_standing s JOIN users u ON u.id = s.user_id
      CROSS JOIN LATERAL ${siteDays(STANDING_WINDOW_DAYS)} d
      CROSS JOIN LATERAL (SELECT ${sql.lit(STANDING_NEEDED_DAYS)} - least(d.unread, ${sql.lit(STANDING_EXCUSED_DAYS)}) AS needed) n
      WHERE s.user_id = ANY (${[...userIds]}::bigint[])
    )
    UPDATE voter_standing s SET state = p.state, is_due = false FROM present p
    WHERE p.user_id = s.user_id AND (p.state <> s.state OR s.is_due)`.execute(db);
}

interface Refresh {
  isFull: boolean;
  day: string | null;
  at: string;
  before: string;
}

async function nextRefresh(db: Db, minDays: number): Promise<Refresh> {
  const { rows } = await sql<Refresh>`
    SELECT (s.states_day, s.states_min_days) IS DISTINCT FROM (d.day, ${minDays}::int) AS "isFull", d.day::text AS day, now()::text AS at,
      coalesce(s.states_at, '-infinity')::text AS before
    FROM totals_state s CROSS JOIN (SELECT max(day) AS day FROM standing_days WHERE skipped IS NULL) d`.execute(db);
  const [next] = rows;
  if (!next) throw new Error('the totals have no state');
  return next;
}

const nextVoters = (db: Db, { isFull, at, before }: Refresh, minDays: number, after: number) => {
  const ofAge = sql`SELECT u.id FROM users u WHERE u.created_at > ${before}::timestamptz - ${minDays}::int * interval '1 day'
    AND u.created_at <= ${at}::timestamptz - ${minDays}::int * interval '1 day' AND u.id > ${after}`;
  return isFull
    ? sql<{
        id: number;
      }>`SELECT user_id AS id FROM voter_standing WHERE user_id > ${after} ORDER BY user_id LIMIT ${sql.lit(SLICE)}`.execute(
        db,
      )
    : sql<{ id: number }>`SELECT id FROM (SELECT user_id AS id FROM voter_standing WHERE is_due AND user_id > ${after}
        UNION ${ofAge}) v ORDER BY id LIMIT ${sql.lit(SLICE)}`.execute(db);
};

export async function refreshVoterStates(db: Db, minDays: number): Promise<void> {
  await ensureState(db);
  const refresh = await nextRefresh(db, minDays);
  for (let after = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const { rows } = await nextVoters(db, refresh, minDays, after);
    const last = rows.at(-1);
    if (!last) break;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await refreshStates(
      db,
      minDays,
      rows.map(({ id }) => id),
    );
    after = last.id;
  }
  await sql`UPDATE totals_state SET states_day = ${refresh.day}::date, states_at = ${refresh.at}::timestamptz, states_min_days = ${minDays}`.execute(
    db,
  );
}

/** False: a concurrent decision of the admin won, and the next run starts over. */
export async function countVerified({ db, config, undoWindowMs }: CountServices): Promise<boolean> {
  await ensureCounts(db);
  await refreshVoterStates(db, config.standingMinDays);
  return moveTotals({ db, undoWindowMs });
}
