import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import { type StoredDayRow, toDayRows } from '#shared/figures/day-rows.ts';
import { badRequest } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';

const MAX_ROWS = 10_000;
const DAY_MS = 86_400_000;

/** The last closed day (R94); yesterday, where none is closed yet. */
async function lastDay(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    SELECT coalesce(max(day), (now() AT TIME ZONE 'UTC')::date - 1)::text AS day FROM closed_days`.execute(db);
  return rows[0]?.day ?? '';
}

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

/** Yesterday is cached, and a request without a day: clients could ask for any other. */
export const keyOf = (kind: string, { day = '' }: DayQuery): string | null =>
  day === '' || day >= new Date(Date.now() - DAY_MS).toISOString().slice(0, 10) ? `leaderboard ${kind} ${day}` : null;

/** @throws 400 for a day that is not closed */
export async function loadDay({ replica }: Services, { day: asked }: DayQuery): Promise<LeaderboardDay> {
  const last = await lastDay(replica);
  const day = asked ?? last;
  if (day > last)
    throw badRequest('day_to_come', `This day is not closed yet. Use ${last} or an earlier day`, { field: 'day' });
  return { day, projects: toDayRows(await readDay(replica, day)).slice(0, MAX_ROWS) };
}
