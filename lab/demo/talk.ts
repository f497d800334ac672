import { sql, type Transaction } from 'kysely';
import type { DB } from '#db/schema.ts';
import { VOTER } from './accounts.ts';
import talk from './talk.json' with { type: 'json' };

const READ_AFTER = "interval '3 days'";
/** Projects that the demo's voter follows; the first one has turned. */
const FOLLOWED = ['Longship Mutiny', 'Tidepool Swap', 'Gulp the Frog'];

/** Replies, open reports, stars, and the notices that the product would have written. */
export async function insertTalk(trx: Transaction<DB>): Promise<void> {
  for (const { review, reply } of talk.replies) {
    await sql`INSERT INTO review_replies (review_id, content, created_at)
      SELECT id, ${reply}, created_at + (now() - created_at) * least(0.8, 0.1 + (id % 7) * 0.1) FROM reviews
      WHERE starts_with(content, ${review})`.execute(trx);
  }
  for (const { subject, of, by, reason, text } of talk.reports) {
    const found =
      subject === 'project'
        ? sql`SELECT id, owner_id AS author FROM projects WHERE name = ${of}`
        : sql`SELECT id, user_id AS author FROM reviews WHERE starts_with(content, ${of})`;
    await sql`INSERT INTO reports (subject, subject_id, user_id, reason, text, created_at)
      SELECT ${subject}::report_subject, found.id, u.id, ${reason}::report_reason, ${text}, now() - ${by} * interval '2 hours'
      FROM (${found}) found, LATERAL (
        SELECT id FROM users WHERE id <> found.author ORDER BY id OFFSET ${by} LIMIT 1
      ) u`.execute(trx);
  }
  await sql`INSERT INTO follows (user_id, project_id, since)
    SELECT u.id, p.id, now() - interval '25 days' FROM users u CROSS JOIN projects p
    WHERE u.wallet_address = ${VOTER.address} AND p.name = ANY (${FOLLOWED})`.execute(trx);
  await insertNotices(trx);
}

async function insertNotices(trx: Transaction<DB>): Promise<void> {
  await sql`INSERT INTO notices (user_id, kind, text, link, created_at, read_at)
    SELECT user_id, kind, text, link, created_at,
      CASE WHEN created_at < now() - ${sql.raw(READ_AFTER)} THEN created_at + interval '1 hour' END
    FROM (
      SELECT p.owner_id AS user_id, 'review'::notice_kind AS kind,
        CASE WHEN r.period IS NULL THEN p.name || ' has a new review' ELSE 'A voter wrote a sentence about ' || p.name END AS text,
        '/projects/' || p.slug || '#review-' || r.id AS link, r.created_at
      FROM reviews r JOIN projects p ON p.id = r.project_id
      UNION ALL
      SELECT r.user_id, 'reply', p.name || ' replied to your review', '/projects/' || p.slug || '#review-' || r.id, y.created_at
      FROM review_replies y JOIN reviews r ON r.id = y.review_id JOIN projects p ON p.id = r.project_id
    ) AS told ORDER BY created_at`.execute(trx);
}
