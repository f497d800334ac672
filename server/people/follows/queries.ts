import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { withUserLock } from '#db/user-lock.ts';
import type { Follows } from '#shared/contract/follows.ts';
import { FOLLOWS_MAX, TURN_DAYS } from '#shared/voting/follow-rules.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';

export async function readFollows(db: Db, userId: number): Promise<Follows> {
  const { rows } = await sql<Follows['projects'][number]>`
    SELECT p.id::int AS id, p.slug, p.name, CASE WHEN t.day IS NOT NULL THEN
      jsonb_build_object('day', t.day, 'bullish', t.bullish, 'bearish', t.bearish, 'bullishBefore', t.bullish_before, 'bearishBefore', t.bearish_before) END AS turn
    FROM follows f JOIN projects p ON p.id = f.project_id AND p.hidden_at IS NULL
    LEFT JOIN project_turns t ON t.project_id = p.id AND t.day > (now() AT TIME ZONE 'UTC')::date - ${TURN_DAYS + 1}::int
    WHERE f.user_id = ${userId} ORDER BY f.since DESC, p.id`.execute(db);
  return { projects: rows };
}

async function follow(trx: Db, userId: number, projectId: number): Promise<void> {
  const { rows } = await sql<{ exists: boolean; others: number }>`
    SELECT EXISTS (SELECT FROM projects WHERE id = ${projectId} AND hidden_at IS NULL) AS exists,
      (SELECT count(*)::int FROM follows WHERE user_id = ${userId} AND project_id <> ${projectId}::bigint) AS others`.execute(
    trx,
  );
  if (!rows[0]?.exists) throw notFound('project_not_found', 'Project not found');
  if (rows[0].others >= FOLLOWS_MAX)
    throw conflict('follows_full', `You follow ${FOLLOWS_MAX} projects already. Unfollow one in your portfolio first.`);
  await sql`INSERT INTO follows (user_id, project_id) VALUES (${userId}, ${projectId}) ON CONFLICT DO NOTHING`.execute(
    trx,
  );
}

async function unfollow(trx: Db, userId: number, projectId: number): Promise<void> {
  await sql`DELETE FROM follows WHERE user_id = ${userId} AND project_id = ${projectId}::bigint`.execute(trx);
  await sql`DELETE FROM turn_notices WHERE user_id = ${userId} AND project_id = ${projectId}::bigint`.execute(trx);
}

/** @throws 404, and 409 beyond the limit */
export const setFollow = (db: Db, userId: number, projectId: number, follows: boolean): Promise<Follows> =>
  withUserLock(db, userId, async (trx) => {
    await (follows ? follow : unfollow)(trx, userId, projectId);
    return readFollows(trx, userId);
  });
