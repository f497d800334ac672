import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { HolderFigures } from '#shared/contract/types.ts';
import { TREND_MAX_DAYS } from '#shared/contract/trends.ts';

const figures = sql<HolderFigures>`json_build_object('day', f.day, 'minimum', projects.coin_minimum,
  'holders', json_build_object('bullish', f.holders_bullish, 'bearish', f.holders_bearish),
  'others', json_build_object('bullish', f.others_bullish, 'bearish', f.others_bearish))`;

/** About the present coin, and in the record where there is one: what a site shows can be compared. */
const current = sql`projects.coin_type IS NOT NULL AND projects.coin_source <> 'lister' AND f.day > projects.coin_set_on
  AND (f.recorded_on IS NOT NULL OR NOT EXISTS (SELECT FROM log_checkpoints))`;

export const newestFigures = sql<HolderFigures | null>`(SELECT ${figures} FROM holder_figures f
  WHERE f.project_id = projects.id AND ${current} ORDER BY f.day DESC LIMIT 1)`;

export async function listFigures(db: Db, projectId: number): Promise<HolderFigures[]> {
  const { rows } = await sql<{
    figures: HolderFigures;
  }>`SELECT ${figures} AS figures FROM holder_figures f JOIN projects ON projects.id = f.project_id
    WHERE f.project_id = ${projectId} AND ${current} AND f.day > (now() AT TIME ZONE 'UTC')::date - ${TREND_MAX_DAYS}::int
    ORDER BY f.day`.execute(db);
  return rows.map(({ figures: one }) => one);
}
