import type { Pool } from 'pg';

export async function listOwnProjects(database: Pool, userId: number): Promise<void> {
  for (const [model, days] of [
    [5, 20],
    [6, -3],
  ]) {
    await database.query(
      `WITH listing AS (
         INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, website, owner_id, created_at, expires_at)
         SELECT format('own-%s-%s', $1::bigint, id), format('Harbor of the Long Northern Lights %s %s', $1::bigint, id), category, description, image_hash,
           twitter_handle, website, $1::bigint, now() - interval '11 days', now() + $3 * interval '1 day'
         FROM projects WHERE id = $2 RETURNING id
       )
       INSERT INTO project_stats (project_id) SELECT id FROM listing`,
      [userId, model, days],
    );
  }
}
