import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { insertProjects } from './builders.ts';

// Long lists by one statement each. Rows of a list share their creation time, so that only the id tells them apart.

export async function insertReviews(
  db: Db,
  projectId: number,
  userId: number,
  count: number,
  { hidden = false } = {},
): Promise<void> {
  await sql`INSERT INTO reviews (project_id, user_id, content, hidden_at, hidden_reason)
    SELECT ${projectId}, ${userId}, 'Review ' || n, CASE WHEN ${hidden} THEN now() END, CASE WHEN ${hidden} THEN 'spam' END
    FROM generate_series(1, ${count}) n ORDER BY n`.execute(db);
}

export async function insertActivity(db: Db, userId: number, count: number): Promise<void> {
  await sql`INSERT INTO activity (user_id, kind, text)
    SELECT ${userId}, 'project_renewed', 'Line ' || n FROM generate_series(1, ${count}) n ORDER BY n`.execute(db);
}

export async function insertWithdrawals(db: Db, userId: number, count: number): Promise<void> {
  await sql`INSERT INTO withdrawals (user_id, wallet_address, token_amount)
    SELECT id, wallet_address, 50 + n FROM users, generate_series(1, ${count}) n WHERE id = ${userId} ORDER BY n`.execute(
    db,
  );
}

export async function insertPayments(
  db: Db,
  userId: number,
  count: number,
  state: 'draft' | 'unclaimed' = 'draft',
): Promise<void> {
  await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, expires_at)
    SELECT ${userId}, 'submit', ${state}, '{"name":"Listed"}', 'order ' || n, 15000000000, 'chain',
      CASE ${state} WHEN 'unclaimed' THEN 'digest' || n END, now() + interval '1 hour'
    FROM generate_series(1, ${count}) n`.execute(db);
}

export async function insertVotes(db: Db, userId: number, count: number): Promise<void> {
  const projects = await insertProjects(db, count);
  await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
    SELECT ${userId}, p, true, now() FROM unnest(${projects}::bigint[]) p`.execute(db);
  await sql`UPDATE user_stats SET total_votes = total_votes + ${count}, bullish = bullish + ${count},
    balance = balance + 10 * ${count}, tokens_earned = tokens_earned + 10 * ${count} WHERE user_id = ${userId}`.execute(
    db,
  );
}

export async function insertAuditLines(db: Db, count: number, action: string): Promise<void> {
  await sql`INSERT INTO audit_log (actor, action, detail, outcome)
    SELECT '0xadmin', ${action}, 'line ' || n, 'ok' FROM generate_series(1, ${count}) n ORDER BY n`.execute(db);
}

export async function insertAppeals(db: Db, userId: number, count: number): Promise<void> {
  await sql`INSERT INTO appeals (user_id, text, answer, answered_at)
    SELECT ${userId}, 'Appeal ' || n, 'Answer', now() FROM generate_series(1, ${count}) n ORDER BY n`.execute(db);
  await sql`WITH made AS (
      INSERT INTO users (wallet_address) SELECT '0x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') FROM generate_series(1, ${count}) RETURNING id
    ) INSERT INTO appeals (user_id, text) SELECT id, 'Open' FROM made ORDER BY id`.execute(db);
}

export async function insertDecisions(db: Db, userId: number): Promise<void> {
  await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
    SELECT user_id, project_id, period, 'moderator', 'made up', 'test' FROM votes WHERE user_id = ${userId}`.execute(
    db,
  );
}

export async function insertReplies(db: Db, projectId: number, { hidden = false } = {}): Promise<void> {
  await sql`INSERT INTO review_replies (review_id, content, hidden_at, hidden_reason)
    SELECT id, 'Reply', CASE WHEN ${hidden} THEN now() END, CASE WHEN ${hidden} THEN 'spam' END
    FROM reviews WHERE project_id = ${projectId} ORDER BY id`.execute(db);
}

export async function insertNotices(db: Db, userId: number, count: number): Promise<void> {
  await sql`INSERT INTO notices (user_id, kind, text, link)
    SELECT ${userId}, 'review', 'Notice ' || n, '/portfolio' FROM generate_series(1, ${count}) n ORDER BY n`.execute(
    db,
  );
}

export async function insertReports(db: Db, count: number): Promise<void> {
  await sql`WITH made AS (
      INSERT INTO users (wallet_address) SELECT '0x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') FROM generate_series(1, ${count}) RETURNING id
    ) INSERT INTO reports (subject, subject_id, user_id, reason, text, resolved_at, resolution)
      SELECT s.subject, 1000000 + id, id, 'spam', 'Look', s.at, s.resolution FROM made,
        (VALUES ('project'::report_subject, NULL::timestamptz, NULL::report_resolution), ('review', now(), 'dismissed')) s (subject, at, resolution)
      ORDER BY id`.execute(db);
}
