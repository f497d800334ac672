import type { Db } from '#db/client.ts';
import { MAX_UPDATES_PER_DAY } from '#shared/constants.ts';
import { sql } from 'kysely';

export async function isChangedOften(db: Db, projectId: number): Promise<boolean> {
  const { rows } = await sql<{ isOften: boolean }>`
    SELECT count(*) >= ${MAX_UPDATES_PER_DAY} AS "isOften" FROM (
      SELECT FROM listing_versions WHERE project_id = ${projectId} AND number > 1 AND created_at > now() - interval '24 hours'
      ORDER BY number DESC LIMIT ${MAX_UPDATES_PER_DAY}) v`.execute(db);
  return rows[0]?.isOften ?? false;
}
