import type pg from 'pg';
import { SESSION_COOKIE } from '#shared/constants.ts';

export const cookieOf = (userId: number): string => `${SESSION_COOKIE}=${tokenOf(userId)}`;
export const tokenOf = (userId: number): string => `planted-${userId}`;
/** Of the user whose id is `i`, in SQL. */
export const TOKEN_HASH = `sha256(convert_to('planted-' || i, 'UTF8'))`;

/** Runs statements that write consistent rows, so that no trigger repeats the work or notifies a server. */
export async function withoutTriggers(client: pg.ClientBase, work: () => Promise<unknown>): Promise<void> {
  await client.query(`SET session_replication_role = 'replica'`);
  await work();
  await client.query(`SET session_replication_role = 'origin'`);
}

const PEOPLE = [
  `INSERT INTO users (wallet_address, created_at)
   SELECT '0x' || lpad(to_hex(i), 64, '0'), now() - interval '500 days' FROM generate_series(1, $1::int + 1) i ORDER BY i`,
  `INSERT INTO sessions (token_hash, user_id, expires_at)
   SELECT ${TOKEN_HASH}, i, now() + interval '30 days' FROM generate_series(1, $1::int) i`,
  `INSERT INTO user_stats (user_id) SELECT generate_series(1, $1::int + 1)`,
];
const PROJECTS = `
  WITH listed AS (
    INSERT INTO projects (slug, name, category, description, package_id, image_hash, twitter_handle, owner_id, created_at, expires_at, period_starts)
    SELECT 'project-' || i, 'Project ' || i, 'DeFi', 'What the project does, in the length that people write: about a hundred characters of it.',
      '0x' || lpad(to_hex(i), 64, '0'), repeat('0', 64), 'handle', (SELECT max(id) FROM users),
      now() - interval '450 days', now() + interval '31 days', ARRAY[now() - interval '450 days']
    FROM generate_series(1, $1::int) i ORDER BY i RETURNING id
  )
  INSERT INTO project_stats (project_id) SELECT id FROM listed`;

/** Plants users 1…`users` with a session each, and one more who owns the projects 1…`projects`. The database must be new. */
export async function plantPeople(client: pg.ClientBase, users: number, projects: number): Promise<void> {
  await withoutTriggers(client, async () => {
    for (const statement of PEOPLE) await client.query(statement, [users]);
  });
  await client.query(PROJECTS, [projects]);
}
