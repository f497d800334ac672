import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ModeratedProject, ModeratedReview } from '#shared/contract/admin.ts';
import { cleanLine } from '#shared/text.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { type Actor, likePattern, writeAudit } from './audit.ts';

const LISTED = 50;

interface Verdict {
  hidden: boolean;
  reason: string;
}

function readReason(sent: string): string {
  const reason = cleanLine(sent);
  if (reason === '') throw invalidField('reason', 'Please give a reason');
  return reason;
}

const marks = ({ hidden }: Verdict, reason: string) => ({
  hiddenAt: hidden ? sql<Date>`now()` : null,
  hiddenReason: hidden ? reason : null,
});

/** Tells the person concerned, and the log. */
async function tell(
  trx: Db,
  who: Actor,
  subject: 'project' | 'review',
  verdict: Verdict,
  facts: { id: number; userId: number; name: string; reason: string },
): Promise<void> {
  const { id, userId, name, reason } = facts;
  const word = verdict.hidden ? 'hidden' : 'unhidden';
  const what = subject === 'project' ? `Your project ${name}` : `Your review of ${name}`;
  const text = verdict.hidden ? `${what} was hidden: ${reason}` : `${what} is shown again: ${reason}`;
  await trx
    .insertInto('activity')
    .values({ userId, kind: `${subject}_${word}`, text })
    .execute();
  await writeAudit(trx, who, {
    action: `${subject}.${verdict.hidden ? 'hide' : 'unhide'}`,
    detail: `${subject === 'project' ? 'Project' : 'Review'} ${id} (${name}). Reason: ${reason}`,
    outcome: 'ok',
  });
}

/** Takes a project out of every list, or puts it back; its owner reads why. Repeating it changes the reason. @throws 404 */
export async function moderateProject({ db }: Services, who: Actor, id: number, verdict: Verdict): Promise<void> {
  const reason = readReason(verdict.reason);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('projects')
      .set(marks(verdict, reason))
      .where('id', '=', id)
      .returning(['ownerId', 'name'])
      .executeTakeFirst();
    if (!row) throw notFound('project_not_found', 'Project not found');
    await tell(trx, who, 'project', verdict, { id, userId: row.ownerId, name: row.name, reason });
  });
}

/** As moderateProject, for a review; what was burned for it stays burned. @throws 404 */
export async function moderateReview({ db }: Services, who: Actor, id: number, verdict: Verdict): Promise<void> {
  const reason = readReason(verdict.reason);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('reviews')
      .from('projects')
      .set(marks(verdict, reason))
      .where('reviews.id', '=', id)
      .whereRef('projects.id', '=', 'reviews.projectId')
      .returning(['reviews.userId', 'projects.name'])
      .executeTakeFirst();
    if (!row) throw notFound('review_not_found', 'Review not found');
    await tell(trx, who, 'review', verdict, { id, userId: row.userId, name: row.name, reason });
  });
}

interface Found {
  projects: ModeratedProject[];
  reviews: ModeratedReview[];
}

/** Projects and reviews that hold all the words, newest first; without words those that are hidden. */
export async function listModeration(db: Db, q = ''): Promise<Found> {
  const words = q.split(/\s+/).filter(Boolean).map(likePattern);
  const [projects, reviews] = await Promise.all([findProjects(db, words), findReviews(db, words)]);
  return { projects, reviews };
}

const author = sql<string>`coalesce(users.username, users.wallet_address)`;

async function findProjects(db: Db, words: string[]): Promise<ModeratedProject[]> {
  let query = db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['projects.id', 'slug', 'name', 'hiddenAt', 'hiddenReason', author.as('owner')])
    .orderBy('projects.id', 'desc')
    .limit(LISTED);
  if (words.length === 0) query = query.where('hiddenAt', 'is not', null);
  const text = sql<string>`concat_ws(' ', projects.name, projects.slug, projects.description, ${author}, users.wallet_address)`;
  for (const word of words) query = query.where(text, 'ilike', word);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, hiddenAt: row.hiddenAt?.toISOString() ?? null }));
}

async function findReviews(db: Db, words: string[]): Promise<ModeratedReview[]> {
  let query = db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .select(['reviews.id', 'reviews.content', 'reviews.hiddenAt', 'reviews.hiddenReason', author.as('author')])
    .select(['projects.name as projectName', 'projects.slug as projectSlug'])
    .orderBy('reviews.id', 'desc')
    .limit(LISTED);
  if (words.length === 0) query = query.where('reviews.hiddenAt', 'is not', null);
  const text = sql<string>`concat_ws(' ', reviews.content, projects.name, ${author}, users.wallet_address)`;
  for (const word of words) query = query.where(text, 'ilike', word);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, hiddenAt: row.hiddenAt?.toISOString() ?? null }));
}
