import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ModeratedProject, ModeratedReply, ModeratedReview } from '#shared/contract/admin.ts';
import { recordActivity } from '#server/books/activity.ts';
import { recordNotices } from '#server/books/notices.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import type { ReportSubject } from '#shared/report-kinds.ts';
import { listingFee } from '#server/listings/projects/listing-fee.ts';
import { resolveReports } from '../reports/actions.ts';
import { lockNames } from '#server/listings/projects/slugs.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, likePattern, writeAudit } from '#server/books/audit.ts';
import { readReason } from '#server/kit/http/reason.ts';

interface Decision {
  hidden: boolean;
  reason: string;
}

const marks = ({ hidden }: Decision, reason: string) => ({
  hiddenAt: hidden ? sql<Date>`now()` : null,
  hiddenReason: hidden ? reason : null,
});

const NAMES = {
  project: { yours: 'Your project', log: 'Project' },
  review: { yours: 'Your review of', log: 'Review' },
  reply: { yours: 'Your reply to a review of', log: 'Reply to review' },
} as const;

/** Notifies the person concerned and the reporters of the hidden content, and writes the log. */
async function recordDecision(
  trx: Db,
  who: Actor,
  subject: ReportSubject,
  decision: Decision,
  facts: { id: number; userId: number; name: string; reason: string },
): Promise<void> {
  const { id, userId, name, reason } = facts;
  const kind = `${subject}_${decision.hidden ? 'hidden' : 'unhidden'}` as const;
  const { yours, log } = NAMES[subject];
  const text = `${yours} ${name} ${decision.hidden ? 'was hidden' : 'is shown again'}: ${reason}`;
  await recordActivity(trx, { userId, kind, text });
  const isListing = subject === 'project';
  const notice = isListing ? 'listing_hidden' : 'text_hidden';
  await recordNotices(trx, { userId, kind: notice, text, link: isListing ? '/portfolio' : null });
  const reports = decision.hidden ? await resolveReports(trx, { subject, subjectId: id }, 'hidden') : 0;
  await writeAudit(trx, who, {
    action: `${subject}.${decision.hidden ? 'hide' : 'unhide'}`,
    detail: `${log} ${id} (${name}). Reason: ${reason}${reports > 0 ? `. Open reports resolved: ${reports}` : ''}`,
    outcome: 'ok',
  });
}

/**
 * A name that was free while its project was hidden may have been taken: only one of the two is shown. Locks the row
 * before the names, as every order does (server/money/orders/apply.ts); in the opposite order the two could deadlock. @throws
 * 409
 */
async function checkName(trx: Db, id: number): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', id).forUpdate().execute();
  await lockNames(trx);
  const { rows } = await sql<{ name: string }>`
    SELECT other.name FROM projects one JOIN projects other ON name_key(other.name) = name_key(one.name) AND other.id <> one.id
    WHERE one.id = ${id} AND one.hidden_at IS NOT NULL AND other.hidden_at IS NULL LIMIT 1`.execute(trx);
  if (rows.length > 0)
    throw conflict(
      'name_taken',
      'Another listing has this name now. Hide that listing or have one of them renamed first.',
    );
}

/** A listing whose fee was sent back stays hidden: its owner has nothing left to be listed for (R80). @throws 409 */
async function checkFee(trx: Db, id: number): Promise<void> {
  const row = await trx
    .selectFrom('projects')
    .select(listingFee(sql.ref('projects.id')).as('fee'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.fee?.refundedMist)
    throw conflict(
      'fee_refunded',
      'The fee of this listing was refunded, so it stays hidden. It can be submitted again.',
    );
}

/**
 * Removes a project from every list, or restores it; its owner reads the reason. Repeating it changes the reason.
 * @throws 404, 409 another listing has its name now, or its fee was refunded
 */
export async function moderateProject({ db }: Services, who: Actor, id: number, decision: Decision): Promise<void> {
  const reason = readReason(decision.reason);
  await db.transaction().execute(async (trx) => {
    if (!decision.hidden) {
      await checkName(trx, id);
      await checkFee(trx, id);
    }
    const row = await trx
      .updateTable('projects')
      .set(marks(decision, reason))
      .where('id', '=', id)
      .returning(['ownerId', 'name'])
      .executeTakeFirst();
    if (!row) throw notFound('project_not_found', 'Project not found');
    await recordDecision(trx, who, 'project', decision, { id, userId: row.ownerId, name: row.name, reason });
  });
}

/** Like moderateProject, for a review; its burned price stays burned. @throws 404 */
export async function moderateReview({ db }: Services, who: Actor, id: number, decision: Decision): Promise<void> {
  const reason = readReason(decision.reason);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('reviews')
      .from('projects')
      .set(marks(decision, reason))
      .where('reviews.id', '=', id)
      .whereRef('projects.id', '=', 'reviews.projectId')
      .returning(['reviews.userId', 'projects.name'])
      .executeTakeFirst();
    if (!row) throw notFound('review_not_found', 'Review not found');
    await recordDecision(trx, who, 'review', decision, { id, userId: row.userId, name: row.name, reason });
  });
}

/** Like moderateProject, for the reply to a review; `id` is the review's. @throws 404 */
export async function moderateReply({ db }: Services, who: Actor, id: number, decision: Decision): Promise<void> {
  const reason = readReason(decision.reason);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('reviewReplies')
      .from('reviews')
      .innerJoin('projects', 'projects.id', 'reviews.projectId')
      .set(marks(decision, reason))
      .where('reviewReplies.reviewId', '=', id)
      .whereRef('reviews.id', '=', 'reviewReplies.reviewId')
      .returning(['projects.ownerId', 'projects.name'])
      .executeTakeFirst();
    if (!row) throw notFound('reply_not_found', 'Reply not found');
    await recordDecision(trx, who, 'reply', decision, { id, userId: row.ownerId, name: row.name, reason });
  });
}

type Search = PageQuery & { q?: string | undefined };
const wordsOf = ({ q = '' }: Search): string[] => q.split(/\s+/).filter(Boolean).map(likePattern);
const author = sql<string>`coalesce(users.username, users.wallet_address)`;
const hiddenAt = (row: { hiddenAt: Date | null }): string | null => row.hiddenAt?.toISOString() ?? null;

/** Projects whose text or owner contains all the words, newest first; without words the hidden ones. */
export async function listModeratedProjects(db: Db, page: Search): Promise<Page<ModeratedProject>> {
  const words = wordsOf(page);
  let found = db.selectFrom('projects').innerJoin('users', 'users.id', 'projects.ownerId');
  if (words.length === 0) found = found.where('hiddenAt', 'is not', null);
  const text = sql<string>`concat_ws(' ', projects.name, projects.slug, projects.description, ${author}, users.wallet_address)`;
  for (const word of words) found = found.where(text, 'ilike', word);
  const rows = found
    .select(['projects.id', 'slug', 'name', 'hiddenAt', 'hiddenReason', author.as('owner')])
    .select(['coinType', 'coinMinimum', 'packageId']);
  const listed = await listById(db, { name: 'moderated-projects', page, rows, id: 'projects.id' });
  return mapPage(listed, (row) => ({ ...row, hiddenAt: hiddenAt(row) }));
}

/** Reviews whose text, project or author contains all the words, newest first; without words the hidden ones. */
export async function listModeratedReviews(db: Db, page: Search): Promise<Page<ModeratedReview>> {
  const words = wordsOf(page);
  let found = db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId');
  if (words.length === 0) found = found.where('reviews.hiddenAt', 'is not', null);
  const text = sql<string>`concat_ws(' ', reviews.content, projects.name, ${author}, users.wallet_address)`;
  for (const word of words) found = found.where(text, 'ilike', word);
  const rows = found
    .select(['reviews.id', 'reviews.content', 'reviews.hiddenAt', 'reviews.hiddenReason', author.as('author')])
    .select(['projects.name as projectName', 'projects.slug as projectSlug']);
  const listed = await listById(db, { name: 'moderated-reviews', page, rows, id: 'reviews.id' });
  return mapPage(listed, (row) => ({ ...row, hiddenAt: hiddenAt(row) }));
}

/** Replies whose text, project or owner contains all the words, newest review first; without words the hidden ones. */
export async function listModeratedReplies(db: Db, page: Search): Promise<Page<ModeratedReply>> {
  const words = wordsOf(page);
  let found = db
    .selectFrom('reviewReplies as y')
    .innerJoin('reviews', 'reviews.id', 'y.reviewId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .innerJoin('users', 'users.id', 'projects.ownerId');
  if (words.length === 0) found = found.where('y.hiddenAt', 'is not', null);
  const text = sql<string>`concat_ws(' ', y.content, projects.name, ${author}, users.wallet_address)`;
  for (const word of words) found = found.where(text, 'ilike', word);
  const rows = found
    .select(['y.reviewId as id', 'y.content', 'y.hiddenAt', 'y.hiddenReason', author.as('owner')])
    .select(['projects.name as projectName', 'projects.slug as projectSlug']);
  const listed = await listById(db, { name: 'moderated-replies', page, rows, id: 'y.reviewId' });
  return mapPage(listed, (row) => ({ ...row, hiddenAt: hiddenAt(row) }));
}
