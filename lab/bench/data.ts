import type pg from 'pg';

/** Cookie of a bench user's session. */
export const tokenOf = (userId: number): string => `bench-${userId}`;

const CHUNK = 100_000;

/** Runs `work` on slices of 1…count, so that progress can be reported between them. */
async function inChunks(count: number, work: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) await work(from, Math.min(count, from + CHUNK - 1));
}

/**
 * Users 1…count with a session each, and one more who owns the projects 1…projects; then `hot` projects without votes.
 */
export async function fillPeople(client: pg.ClientBase, users: number, projects: number): Promise<void> {
  await inChunks(users, async (from, to) => {
    await client.query(
      `INSERT INTO users (wallet_address) SELECT '0x' || lpad(to_hex(i), 64, '0') FROM generate_series($1::int, $2::int) i ORDER BY i`,
      [from, to],
    );
    await client.query(
      `INSERT INTO sessions (token_hash, user_id, expires_at)
       SELECT sha256(convert_to('bench-' || i, 'UTF8')), i, now() + interval '30 days' FROM generate_series($1::int, $2::int) i`,
      [from, to],
    );
    for (const schema of ['public', 'reference']) {
      await client.query(`INSERT INTO ${schema}.user_stats (user_id) SELECT generate_series($1::int, $2::int)`, [
        from,
        to,
      ]);
    }
  });
  await client.query(`INSERT INTO users (wallet_address) VALUES ('0x' || repeat('f', 64))`);
  await addProjects(client, projects);
}

/** Further listed projects; returns the id of the first. */
export async function addProjects(client: pg.ClientBase, count: number): Promise<number> {
  const { rows } = await client.query<{ id: string | number }>(
    `INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
     SELECT 'p-' || gen_random_uuid(), 'Project ' || i, 'DeFi', 'What the project does, in the length that people write: about a hundred characters of it.',
       repeat('0', 64), 'handle', (SELECT max(id) FROM users), now() + interval '31 days'
     FROM generate_series(1, $1::int) i RETURNING id`,
    [count],
  );
  const ids = rows.map((row) => Number(row.id));
  for (const schema of ['public', 'reference']) {
    await client.query(`INSERT INTO ${schema}.project_stats (project_id) SELECT unnest($1::bigint[])`, [ids]);
  }
  return Math.min(...ids);
}

/**
 * Votes of the rounds `from`…`to` for every user, as votes.lua would cast them, stored long ago, with all their
 * counters. The triggers are disabled: no server listens yet.
 */
export async function fillVotes(
  client: pg.ClientBase,
  options: { users: number; projects: number; from: number; to: number; onProgress: (share: number) => void },
): Promise<void> {
  const { users, projects, from, to, onProgress } = options;
  await client.query(`SET session_replication_role = 'replica'`);
  await inChunks(users, async (first, last) => {
    for (const schema of ['public', 'reference']) {
      await client.query(
        `INSERT INTO ${schema}.votes (user_id, project_id, bullish, tokens, created_at)
         SELECT u, (u::bigint * 7919 + r * 104729) % $3 + 1, (u + r) % 3 > 0, 10, now() - interval '20 days'
         FROM generate_series($1::int, $2::int) u, generate_series($4::int, $5::int) r ORDER BY u, r`,
        [first, last, projects, from, to],
      );
    }
    onProgress(last / users);
  });
  for (const schema of ['public', 'reference']) {
    await client.query(
      `UPDATE ${schema}.user_stats u SET total_votes = v.n, bullish = v.b, bearish = v.n - v.b, balance = 10 * v.n, tokens_earned = 10 * v.n,
         streak = 1, last_day = (now() AT TIME ZONE 'UTC')::date - 20
       FROM (SELECT user_id, count(*)::int AS n, (count(*) FILTER (WHERE bullish))::int AS b FROM ${schema}.votes GROUP BY 1) v
       WHERE v.user_id = u.user_id`,
    );
    await client.query(
      `UPDATE ${schema}.project_stats p SET bullish = v.b, bearish = v.n - v.b
       FROM (SELECT project_id, count(*) AS n, count(*) FILTER (WHERE bullish) AS b FROM ${schema}.votes GROUP BY 1) v
       WHERE v.project_id = p.project_id`,
    );
  }
  await client.query('TRUNCATE vote_totals');
  await client.query(
    'INSERT INTO vote_totals SELECT total_votes, count(*) FROM user_stats WHERE total_votes > 0 GROUP BY total_votes',
  );
  await client.query('SELECT refresh_top_voters()');
  await client.query(`SET session_replication_role = 'origin'`);
}

/** Log segments of 16 MB that a run may fill; PostgreSQL first writes a new one full of zeros, and not a used one. */
const LOG_SEGMENTS = 150;

/**
 * Brings the database into the state after a long run: no dead rows, known statistics, nothing left to write, used log
 * segments.
 */
export async function age(client: pg.ClientBase): Promise<void> {
  await client.query('VACUUM ANALYZE');
  for (let segment = 0; segment < LOG_SEGMENTS; segment += 1) {
    await client.query(`UPDATE job_runs SET started_at = started_at WHERE name = 'check-invariants'`);
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
}
