import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { withUserLock } from '#db/user-lock.ts';
import type { Follows } from '#shared/contract/follows.ts';
import { FOLLOW_VOTE_DAYS, FOLLOWS_MAX, TURN_DAYS } from '#shared/voting/follow-rules.ts';
import { votesOf } from '#server/books/opinions.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';

const followedSince = sql<Date>`(now() - make_interval(days => ${FOLLOW_VOTE_DAYS}))`;

type Followed = Follows['projects'][number];

export async function readFollows(db: Db, userId: number): Promise<Follows> {
  const { rows } = await sql<{ votes: boolean; projects: Followed[] }>`
    WITH chosen AS (
      SELECT coalesce((SELECT s.follows_votes FROM push_settings s WHERE s.user_id = ${userId}), true) AS votes
    ), followed AS (
      SELECT f.project_id, f.changed_at AS since, NULL::timestamptz AS until FROM follows f WHERE f.user_id = ${userId} AND f.follows
      UNION ALL
      (SELECT v.project_id, max(v.created_at), max(v.created_at) + make_interval(days => ${FOLLOW_VOTE_DAYS})
      FROM chosen, ${votesOf(userId)} v
      WHERE chosen.votes AND v.created_at >= ${followedSince} AND NOT EXISTS (SELECT FROM follows f
        WHERE f.user_id = ${userId} AND f.project_id = v.project_id AND (f.follows OR f.changed_at >= v.created_at))
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${FOLLOWS_MAX})
    )
    SELECT chosen.votes, coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name, 'until', f.until, 'turn', CASE WHEN t.day IS NOT NULL THEN
          jsonb_build_object('day', t.day, 'bullish', t.bullish, 'bearish', t.bearish, 'bullishBefore', t.bullish_before, 'bearishBefore', t.bearish_before) END) ORDER BY f.since DESC, p.id)
      FROM followed f JOIN projects p ON p.id = f.project_id AND p.hidden_at IS NULL
      LEFT JOIN project_turns t ON t.project_id = p.id AND t.day > (now() AT TIME ZONE 'UTC')::date - ${TURN_DAYS + 1}::int
    ), '[]') AS projects FROM chosen`.execute(db);
  const { votes, projects } = rows[0] ?? { votes: true, projects: [] };
  return {
    votes,
    projects: projects.map((one) => ({ ...one, until: one.until && new Date(one.until).toISOString() })),
  };
}

export async function storeFollowVotes(db: Db, userId: number, followsVotes: boolean): Promise<void> {
  await db
    .insertInto('pushSettings')
    .values({ userId, kinds: [], followsVotes })
    .onConflict((oc) => oc.column('userId').doUpdateSet({ followsVotes }))
    .execute();
}

async function follow(trx: Db, userId: number, projectId: number): Promise<void> {
  const { rows } = await sql<{ exists: boolean; others: number }>`
    SELECT EXISTS (SELECT FROM projects WHERE id = ${projectId} AND hidden_at IS NULL) AS exists,
      (SELECT count(*)::int FROM follows WHERE user_id = ${userId} AND follows AND project_id <> ${projectId}::bigint) AS others`.execute(
    trx,
  );
  if (!rows[0]?.exists) throw notFound('project_not_found', 'Project not found');
  if (rows[0].others >= FOLLOWS_MAX)
    throw conflict('follows_full', `You follow ${FOLLOWS_MAX} projects already. Unfollow one in your portfolio first.`);
  await sql`
    INSERT INTO follows AS f (user_id, project_id, follows) VALUES (${userId}, ${projectId}, true)
    ON CONFLICT (user_id, project_id) DO UPDATE SET follows = true, changed_at = now() WHERE NOT f.follows`.execute(
    trx,
  );
}

/** Remembered only against a vote that would be followed: what a user can store is bounded by the votes of these days. */
async function unfollow(trx: Db, userId: number, projectId: number): Promise<void> {
  await sql`DELETE FROM follows WHERE user_id = ${userId} AND project_id = ${projectId}::bigint`.execute(trx);
  await sql`DELETE FROM turn_notices WHERE user_id = ${userId} AND project_id = ${projectId}::bigint`.execute(trx);
  await sql`
    INSERT INTO follows (user_id, project_id, follows, changed_at) SELECT ${userId}, ${projectId}::bigint, false, clock_timestamp()
    WHERE EXISTS (SELECT FROM ${votesOf(userId)} v WHERE v.project_id = ${projectId}::bigint AND v.created_at >= ${followedSince})`.execute(
    trx,
  );
}

/** @throws 404, and 409 beyond the limit */
export const setFollow = (db: Db, userId: number, projectId: number, follows: boolean): Promise<Follows> =>
  withUserLock(db, userId, async (trx) => {
    await (follows ? follow : unfollow)(trx, userId, projectId);
    return readFollows(trx, userId);
  });
