import { sql, type Transaction } from 'kysely';
import type { DB } from '#db/schema.ts';
import type { ReportReason } from '#shared/report-kinds.ts';

/** What the owners of projects replied: the beginning of the review, and the reply to it. */
const REPLIES: readonly [review: string, reply: string][] = [
  [
    'Good product, but I would like',
    'The second audit is booked for next month. We will link it here, findings included.',
  ],
  ['Boring. Which is the point', 'Thank you. We printed this on a mug.'],
  ['20x is how I lost my shoes', 'Leverage starts at 2x now, and the panic button moved under the thumb.'],
  ['It whistled. My pool', 'The oat farm is fixed and the kettle is on. Come back for a cup.'],
  ['Pretty, but unfolding burns', 'True, and from now on we ask twice before a fox unfolds.'],
  ['Too slow unless your neighbours', 'You can leave an offer overnight since Tuesday. The nose is yours.'],
  ['Servers creak on raid night', 'Two more ships in the fleet since Friday. Tell us if it still creaks.'],
  ['My sponsor was a potato brand', 'The potatoes have been fined four wheels.'],
  ['Moved half my stables here', 'This made our week. Sundays are what the ranges are for.'],
  ['Support answered with a trace id', 'In that order, always. Thank you!'],
  ['My most patient friend has lost', 'Recovery by two friends and a week of patience ships this month.'],
  ['I keep losing recipes', 'Rooms can keep one pinned note now. Start with the recipe.'],
];

/** What users have reported: the beginning of a review, or the name of a project; a reason, and words. */
const REPORTS: readonly [subject: 'project' | 'review', of: string, by: number, reason: ReportReason, text: string][] =
  [
    ['review', 'Read the whitepaper', 3, 'spam', ''],
    ['review', 'Read the whitepaper', 8, 'abuse', 'Not a review of anything.'],
    ['review', 'gulp', 5, 'spam', 'One word is hardly a review.'],
    ['project', 'Honkonomics', 11, 'scam', 'The minutes of the central bank are geese. I want to see the reserves.'],
    ['project', 'Honkonomics', 14, 'other', 'Too loud.'],
  ];

/** A notice that old has been read. */
const READ_AFTER = "interval '3 days'";

/**
 * Replies, open reports, and the notices that the product would have written for all of it and for the reviews. A reply follows its review
 * by some hours, a report the last vote.
 */
export async function insertTalk(trx: Transaction<DB>): Promise<void> {
  for (const [review, content] of REPLIES) {
    // oxlint-disable-next-line no-await-in-loop -- a dozen rows
    await sql`INSERT INTO review_replies (review_id, content, created_at)
      SELECT id, ${content}, created_at + (now() - created_at) * least(0.8, 0.1 + (id % 7) * 0.1) FROM reviews
      WHERE starts_with(content, ${review})`.execute(trx);
  }
  for (const [subject, of, by, reason, text] of REPORTS) {
    const found =
      subject === 'project'
        ? sql`SELECT id, owner_id AS author FROM projects WHERE name = ${of}`
        : sql`SELECT id, user_id AS author FROM reviews WHERE starts_with(content, ${of})`;
    // oxlint-disable-next-line no-await-in-loop -- a handful of rows
    await sql`INSERT INTO reports (subject, subject_id, user_id, reason, text, created_at)
      SELECT ${subject}::report_subject, found.id, u.id, ${reason}::report_reason, ${text}, now() - ${by} * interval '2 hours'
      FROM (${found}) found, LATERAL (
        SELECT id FROM users WHERE id <> found.author ORDER BY id OFFSET ${by} LIMIT 1
      ) u`.execute(trx);
  }
  await insertNotices(trx);
}

async function insertNotices(trx: Transaction<DB>): Promise<void> {
  await sql`INSERT INTO notices (user_id, kind, text, link, created_at, read_at)
    SELECT user_id, kind, text, link, created_at,
      CASE WHEN created_at < now() - ${sql.raw(READ_AFTER)} THEN created_at + interval '1 hour' END
    FROM (
      SELECT p.owner_id AS user_id, 'review'::notice_kind AS kind, p.name || ' has a new review' AS text,
        '/projects/' || p.slug || '#review-' || r.id AS link, r.created_at
      FROM reviews r JOIN projects p ON p.id = r.project_id
      UNION ALL
      SELECT r.user_id, 'reply', p.name || ' replied to your review', '/projects/' || p.slug || '#review-' || r.id, y.created_at
      FROM review_replies y JOIN reviews r ON r.id = y.review_id JOIN projects p ON p.id = r.project_id
    ) AS told ORDER BY created_at`.execute(trx);
}
