import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import { type StoredDayRow, toDayRows } from '#shared/day-rows.ts';
import { badRequest } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';

const MAX_ROWS = 10_000;
const DAY_MS = 86_400_000;

const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

async function readDay(db: Db, day: string): Promise<StoredDayRow[]> {
  const { rows } = await sql<StoredDayRow>`
    SELECT p.id, p.slug, p.name, p.category, (p.created_at AT TIME ZONE 'UTC')::date::text AS listed_on,
      coalesce(d.bullish, 0) AS bullish, coalesce(d.bearish, 0) AS bearish, d.verified_bullish, d.verified_bearish,
      d.now_bullish, d.now_bearish, d.rank_votes
    FROM projects p LEFT JOIN LATERAL (
      SELECT * FROM project_days d WHERE d.project_id = p.id AND d.day <= ${day}::date ORDER BY d.day DESC LIMIT 1) d ON true
    WHERE p.hidden_at IS NULL AND (p.created_at AT TIME ZONE 'UTC')::date <= ${day}::date
    ORDER BY d.bullish::float8 / nullif(d.bullish + d.bearish, 0) DESC NULLS LAST, d.bullish + d.bearish DESC NULLS LAST,
      p.created_at, p.id`.execute(db);
  return rows;
}

type DayQuery = { day?: string | undefined };

/** @throws 400 for a day that has not begun */
function dayOf({ day }: DayQuery): string {
  const today = utcDay(Date.now());
  if (day !== undefined && day > today)
    throw badRequest('day_to_come', `This day has not begun. Use ${today} or an earlier day`, { field: 'day' });
  return day ?? today;
}

/** The days that are cached: today and yesterday, of all that can be requested. */
export function keyOf(kind: string, query: DayQuery): string | null {
  const day = dayOf(query);
  return day >= utcDay(Date.now() - DAY_MS) ? `leaderboard ${kind} ${day}` : null;
}

export async function loadDay({ replica }: Services, query: DayQuery): Promise<LeaderboardDay> {
  const day = dayOf(query);
  return { day, projects: toDayRows(await readDay(replica, day)).slice(0, MAX_ROWS) };
}
