import type { ReportSubject } from '#shared/report-kinds.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { resolveReports } from '../reports/actions.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';

interface Dismissal {
  subject: ReportSubject;
  subjectId: number;
  reason: string;
}

/**
 * Ends the open reports on a subject, which stays unchanged; the reporters get a notice. @throws 400, 404 no open
 * report
 */
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
