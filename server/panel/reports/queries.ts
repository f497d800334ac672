import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ReportedSubject } from '#shared/contract/reports.ts';
import type { ReportReason, ReportSubject } from '#shared/people/report-kinds.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';

export interface Subject {
  subject: ReportSubject;
  subjectId: number;
  content: string;
  authorId: number;
  author: string;
  /** True if the content is no longer shown, alone or together with its review or project. */
  hidden: boolean;
  hiddenAt: Date | null;
  projectName: string;
  projectSlug: string;
  projectHidden: boolean;
}

const author = sql<string>`coalesce(users.username, users.wallet_address)`.as('author');
const projectHidden = sql<boolean>`projects.hidden_at IS NOT NULL`;
const PROJECT = [
  'projects.name as projectName',
  'projects.slug as projectSlug',
  projectHidden.as('projectHidden'),
] as const;

function projectSubjects(db: Db) {
  return db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['projects.description as content', 'projects.ownerId as authorId', author, 'projects.hiddenAt'])
    .select(projectHidden.as('hidden'))
    .select(PROJECT);
}

function reviewSubjects(db: Db) {
  return db
    .selectFrom('reviews')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .select(['reviews.content', 'reviews.userId as authorId', author, 'reviews.hiddenAt'])
    .select(sql<boolean>`reviews.hidden_at IS NOT NULL OR ${projectHidden}`.as('hidden'))
    .select(PROJECT);
}

function replySubjects(db: Db) {
  return db
    .selectFrom('reviewReplies as y')
    .innerJoin('reviews', 'reviews.id', 'y.reviewId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['y.content', 'projects.ownerId as authorId', author, 'y.hiddenAt'])
    .select(sql<boolean>`y.hidden_at IS NOT NULL OR reviews.hidden_at IS NOT NULL OR ${projectHidden}`.as('hidden'))
    .select(PROJECT);
}

export async function findSubject(
  db: Db,
  { subject, subjectId }: Pick<Subject, 'subject' | 'subjectId'>,
): Promise<Subject | undefined> {
  const row =
    subject === 'project'
      ? await projectSubjects(db).where('projects.id', '=', subjectId).executeTakeFirst()
      : subject === 'review'
        ? await reviewSubjects(db).where('reviews.id', '=', subjectId).executeTakeFirst()
        : await replySubjects(db).where('y.reviewId', '=', subjectId).executeTakeFirst();
  return row && { ...row, subject, subjectId };
}

function firstReports(db: Db) {
  return db
    .selectFrom('reports')
    .where('reports.resolvedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as e')
            .select('e.id')
            .whereRef('e.subject', '=', 'reports.subject')
            .whereRef('e.subjectId', '=', 'reports.subjectId')
            .where('e.resolvedAt', 'is', null)
            .whereRef('e.id', '<', 'reports.id'),
        ),
      ),
    );
}

const onSubject = (what: string) =>
  sql`(SELECT ${sql.raw(what)} FROM reports o
    WHERE o.subject = reports.subject AND o.subject_id = reports.subject_id AND o.resolved_at IS NULL)`;

export async function listReports(db: Db, page: PageQuery): Promise<Page<ReportedSubject>> {
  const rows = firstReports(db)
    .select(['reports.id', 'reports.subject', 'reports.subjectId', 'reports.createdAt'])
    .select([
      sql<ReportReason[]>`${onSubject('array_agg(o.reason::text)')}`.as('reasons'),
      sql<string[]>`${onSubject("(array_agg(o.text ORDER BY o.id DESC) FILTER (WHERE o.text <> ''))[:5]")}`.as('texts'),
      sql<Date>`${onSubject('max(o.created_at)')}`.as('lastAt'),
    ]);
  const shown = await listById(db, { name: 'reports', page, rows, id: 'reports.id', isOldestFirst: true });
  const subjects = await Promise.all(shown.rows.map((row) => findSubject(db, row)));
  const of = new Map(shown.rows.map((row, i) => [row, subjects[i]]));
  return mapPage(shown, (row) => toReported(row, of.get(row)));
}

function toReported(
  row: {
    subject: ReportSubject;
    subjectId: number;
    createdAt: Date;
    lastAt: Date;
    reasons: ReportReason[];
    texts: string[] | null;
  },
  found: Subject | undefined,
): ReportedSubject {
  const reasons: ReportedSubject['reasons'] = {};
  for (const reason of row.reasons) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    subject: row.subject,
    subjectId: row.subjectId,
    count: row.reasons.length,
    reasons,
    texts: row.texts ?? [],
    firstAt: row.createdAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    content: found?.content ?? null,
    author: found?.author ?? null,
    projectName: found?.projectName ?? null,
    projectSlug: found?.projectSlug ?? null,
    hiddenAt: found?.hiddenAt?.toISOString() ?? null,
  };
}
