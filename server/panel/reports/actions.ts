import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { withUserLock } from '#db/user-lock.ts';
import { cleanText } from '#shared/text/clean-text.ts';
import { OPEN_REPORTS_PER_USER } from '#shared/constants.ts';
import {
  OWNERSHIP_REASON,
  REPORT_MAX_CHARS,
  type ReportReason,
  type ReportResolution,
  type ReportSubject,
} from '#shared/people/report-kinds.ts';
import { countChars } from '#shared/text/text.ts';
import { conflict, forbidden, invalidField, notFound } from '#server/kit/http/errors.ts';
import { recordNotices, reviewLink } from '#server/books/notices.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { findSubject, type Subject } from './queries.ts';

interface Report {
  subject: ReportSubject;
  subjectId: number;
  reason: ReportReason;
  text: string;
}

function readText({ reason, text: sent }: Report): string {
  const text = cleanText(sent);
  if (countChars(text) > REPORT_MAX_CHARS) throw invalidField('text', `Maximum ${REPORT_MAX_CHARS} characters allowed`);
  if (reason === 'other' && text === '') throw invalidField('text', 'Say in a few words what is wrong');
  return text;
}

async function checkOpen(trx: Db, userId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('resolvedAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (count < OPEN_REPORTS_PER_USER) return;
  throw conflict(
    'too_many_reports',
    `${OPEN_REPORTS_PER_USER} of your reports wait for a moderator. You can report more once some of them are resolved.`,
  );
}

/** Checked first, because a row that the index rejects takes space until the table is vacuumed. @throws 409 */
async function checkOnce(trx: Db, userId: number, { subject, subjectId }: Report): Promise<void> {
  const present = await trx
    .selectFrom('reports')
    .select('id')
    .where('userId', '=', userId)
    .where('subject', '=', subject)
    .where('subjectId', '=', subjectId)
    .executeTakeFirst();
  if (present) throw conflict('already_reported', 'You have reported this already');
}

/** @throws 400 (field `text` or `reason`), 403 own content, 404 hidden or unknown, 409 reported before, or too many open reports */
export async function postReport({ db }: Services, userId: number, report: Report): Promise<void> {
  const text = readText(report);
  const { subject, subjectId, reason } = report;
  await withUserLock(db, userId, async (trx) => {
    const found = await findSubject(trx, report);
    if (!found || found.hidden) throw notFound('subject_not_found', 'This is no longer shown');
    const isOwn = found.authorId === userId;
    const isRequest = reason === OWNERSHIP_REASON;
    if (isRequest && subject !== 'project') throw invalidField('reason', 'Only a project has a coin');
    if (isOwn && !isRequest) throw forbidden('own_content', 'You cannot report what is your own');
    if (isRequest && !isOwn && text === '') throw invalidField('text', 'Say which coin or package is yours');
    await checkOnce(trx, userId, report);
    await checkOpen(trx, userId);
    await trx.insertInto('reports').values({ subject, subjectId, userId, reason, text }).execute();
  });
}

const WHAT = { project: 'project', review: 'review of', reply: 'reply of' } as const;

function resolvedText({ subject, projectName }: Subject, resolution: ReportResolution): string {
  const what = subject === 'project' ? projectName : `a ${WHAT[subject]} ${isolated(projectName)}`;
  return resolution === 'hidden'
    ? `Thank you: ${what}, which you reported, was hidden`
    : `Your report of ${what} was reviewed: it stays`;
}

/** A hidden project cannot be visited; a hidden review leads to its project. */
function resolvedLink({ subject, subjectId, projectSlug, projectHidden }: Subject, resolution: ReportResolution) {
  if (projectHidden || (subject === 'project' && resolution === 'hidden')) return null;
  return subject === 'project' ? `/projects/${encodeURIComponent(projectSlug)}` : reviewLink(projectSlug, subjectId);
}

/** Resolves the open reports on a subject, and notifies the reporters; returns the number of reports. */
export async function resolveReports(
  trx: Db,
  of: Pick<Report, 'subject' | 'subjectId'>,
  resolution: ReportResolution,
): Promise<number> {
  const resolved = await trx
    .updateTable('reports')
    .set({ resolution, resolvedAt: sql<Date>`now()` })
    .where('subject', '=', of.subject)
    .where('subjectId', '=', of.subjectId)
    .where('resolvedAt', 'is', null)
    .returning('userId')
    .execute();
  if (resolved.length === 0) return 0;
  const found = await findSubject(trx, of);
  const text = found ? resolvedText(found, resolution) : `Your report of a ${of.subject} was reviewed: it is gone`;
  const link = found ? resolvedLink(found, resolution) : null;
  await recordNotices(trx, ...resolved.map(({ userId }) => ({ userId, kind: 'report_resolved' as const, text, link })));
  return resolved.length;
}

interface Dismissal {
  subject: ReportSubject;
  subjectId: number;
  reason: string;
}

/** @throws 400, 404 no open report */
export async function dismissReports({ db }: Services, who: Actor, dismissal: Dismissal): Promise<void> {
  const { subject, subjectId } = dismissal;
  const reason = readReason(dismissal.reason);
  await db.transaction().execute(async (trx) => {
    const count = await resolveReports(trx, dismissal, 'dismissed');
    if (count === 0) throw notFound('report_not_found', 'There are no open reports on this');
    await writeAudit(trx, who, {
      action: 'report.dismiss',
      detail: `Reports on ${subject} ${subjectId}. Reason: ${reason}`,
      outcome: 'ok',
      rowCount: count,
    });
  });
}
