import { isolated } from '#shared/text/isolated.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ModeratedProject, ModeratedReply, ModeratedReview } from '#shared/contract/admin.ts';
import { recordActivity } from '#server/books/activity.ts';
import { recordNotices } from '#server/books/notices.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { listingFee } from '#server/listings/projects/listing-fee.ts';
import { resolveReports } from '../reports/actions.ts';
import { remark } from '#server/listings/projects/marks.ts';
import { lockNames } from '#server/listings/projects/slugs.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, likePattern, writeAudit } from '#server/books/audit.ts';
import { readReason } from '#server/kit/http/reason.ts';

interface Decision {
  hidden: boolean;
  reason: string;
}

const marks = ({ hidden, reason }: Decision) => ({
  hiddenAt: hidden ? sql<Date>`now()` : null,
  hiddenReason: hidden ? reason : null,
});

const NAMES = {
  project: { title: 'Project', yours: 'Your project', log: 'Project' },
  review: { title: 'Review', yours: 'Your review of', log: 'Review' },
  reply: { title: 'Reply', yours: 'Your reply to a review of', log: 'Reply to review' },
} as const;

interface Subject {
  id: number;
  userId: number;
  name: string;
}

async function recordDecision(
  trx: Db,
  who: Actor,
  kind: ReportSubject,
  { id, userId, name }: Subject,
  { hidden, reason }: Decision,
): Promise<void> {
  const { yours, log } = NAMES[kind];
  const text = `${yours} ${isolated(name)} ${hidden ? 'was hidden' : 'is shown again'}: ${reason}`;
  await recordActivity(trx, { userId, kind: `${kind}_${hidden ? 'hidden' : 'unhidden'}`, text });
  const notice =
    kind === 'project'
      ? ({ kind: 'listing_hidden', link: '/portfolio' } as const)
      : ({ kind: 'text_hidden', link: null } as const);
  await recordNotices(trx, { userId, text, ...notice });
  const reports = hidden ? await resolveReports(trx, { subject: kind, subjectId: id }, 'hidden') : 0;
  await writeAudit(trx, who, {
    action: `${kind}.${hidden ? 'hide' : 'unhide'}`,
    detail: `${log} ${id} (${isolated(name)}). Reason: ${reason}${reports > 0 ? `. Open reports resolved: ${reports}` : ''}`,
    outcome: 'ok',
  });
}

/**
 * Locks the row before the names, as orders do (server/money/orders/apply.ts): the opposite order could deadlock.
 * @throws 409 another listing took the name while this one was hidden
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

type Mark = (trx: Db, id: number, decision: Decision) => Promise<Omit<Subject, 'id'> | undefined>;

const MARK: Record<ReportSubject, Mark> = {
  async project(trx, id, decision) {
    if (!decision.hidden) {
      await checkName(trx, id);
      await checkFee(trx, id);
    }
    const found = await trx
      .updateTable('projects')
      .set(marks(decision))
      .where('id', '=', id)
      .returning(['ownerId as userId', 'name'])
      .executeTakeFirst();
    if (decision.hidden) await remark(trx, id);
    return found;
  },
  review: (trx, id, decision) =>
    trx
      .updateTable('reviews')
      .from('projects')
      .set(marks(decision))
      .where('reviews.id', '=', id)
      .whereRef('projects.id', '=', 'reviews.projectId')
      .returning(['reviews.userId', 'projects.name'])
      .executeTakeFirst(),
  reply: (trx, id, decision) =>
    trx
      .updateTable('reviewReplies')
      .from('reviews')
      .innerJoin('projects', 'projects.id', 'reviews.projectId')
      .set(marks(decision))
      .where('reviewReplies.reviewId', '=', id)
      .whereRef('reviews.id', '=', 'reviewReplies.reviewId')
      .returning(['projects.ownerId as userId', 'projects.name'])
      .executeTakeFirst(),
};

/**
 * The id of a reply is that of its review. A repeated call changes the reason.
 * @throws 404, 409 another listing has the project's name now, or its fee was refunded
 */
export async function moderate(
  { db }: Services,
  who: Actor,
  kind: ReportSubject,
  id: number,
  sent: Decision,
): Promise<void> {
  const decision = { hidden: sent.hidden, reason: readReason(sent.reason) };
  await db.transaction().execute(async (trx) => {
    const found = await MARK[kind](trx, id, decision);
    if (!found) throw notFound(`${kind}_not_found`, `${NAMES[kind].title} not found`);
    await recordDecision(trx, who, kind, { id, ...found }, decision);
  });
}

type Search = PageQuery & { q?: string | undefined };
const author = sql<string>`coalesce(users.username, users.wallet_address)`;

function isFound({ q = '' }: Search, hiddenAt: string, columns: readonly string[]): RawBuilder<boolean> {
  const text = sql`concat_ws(' ', ${sql.join(columns.map((column) => sql.ref(column)))}, ${author}, users.wallet_address)`;
  const words = q.split(/\s+/).filter(Boolean);
  if (words.length === 0) return sql<boolean>`${sql.ref(hiddenAt)} IS NOT NULL`;
  return sql<boolean>`(${sql.join(
    words.map((word) => sql`${text} ILIKE ${likePattern(word)}`),
    sql` AND `,
  )})`;
}

const toRow = <T extends { hiddenAt: Date | null }>(row: T) => ({
  ...row,
  hiddenAt: row.hiddenAt?.toISOString() ?? null,
});

export async function listModeratedProjects(db: Db, page: Search): Promise<Page<ModeratedProject>> {
  const rows = db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .where(isFound(page, 'projects.hiddenAt', ['projects.name', 'projects.slug', 'projects.description']))
    .select(['projects.id', 'slug', 'name', 'hiddenAt', 'hiddenReason', author.as('owner')])
    .select(['coinType', 'packageId']);
  return mapPage(await listById(db, { name: 'moderated-projects', page, rows, id: 'projects.id' }), toRow);
}

export async function listModeratedReviews(db: Db, page: Search): Promise<Page<ModeratedReview>> {
  const rows = db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .where(isFound(page, 'reviews.hiddenAt', ['reviews.content', 'projects.name']))
    .select(['reviews.id', 'reviews.content', 'reviews.hiddenAt', 'reviews.hiddenReason', author.as('author')])
    .select(['projects.name as projectName', 'projects.slug as projectSlug']);
  return mapPage(await listById(db, { name: 'moderated-reviews', page, rows, id: 'reviews.id' }), toRow);
}

export async function listModeratedReplies(db: Db, page: Search): Promise<Page<ModeratedReply>> {
  const rows = db
    .selectFrom('reviewReplies as y')
    .innerJoin('reviews', 'reviews.id', 'y.reviewId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .where(isFound(page, 'y.hiddenAt', ['y.content', 'projects.name']))
    .select(['y.reviewId as id', 'y.content', 'y.hiddenAt', 'y.hiddenReason', author.as('owner')])
    .select(['projects.name as projectName', 'projects.slug as projectSlug']);
  return mapPage(await listById(db, { name: 'moderated-replies', page, rows, id: 'y.reviewId' }), toRow);
}
