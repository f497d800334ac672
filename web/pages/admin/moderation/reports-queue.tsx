import { isolated } from '#shared/text/isolated.ts';
import { Flag, ThumbsUp } from 'lucide-react';
import type { ReportedSubject } from '#shared/contract/reports.ts';
import { plural } from '#shared/numbers/plural.ts';
import { REPORT_REASON_LABELS, REPORT_REASONS } from '#shared/people/report-kinds.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Act } from '../act.tsx';
import { adminList, pollQueue } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { HiddenBadge, nameText, ProjectLink, Row } from '../row.tsx';
import { HideAct } from './hide-act.tsx';
import { SUBJECTS } from './subjects.ts';

const reasonsOf = ({ reasons }: ReportedSubject) => REPORT_REASONS.filter((reason) => reasons[reason]);

const toRow = (reported: ReportedSubject) => ({
  ...reported,
  reasons: reasonsOf(reported)
    .map((reason) => `${reason}: ${reported.reasons[reason]}`)
    .join('; '),
  texts: reported.texts.join(' | '),
});

function nameOf({ subject, projectName, author }: ReportedSubject): string {
  if (projectName === null) return 'that is gone';
  if (subject === 'project') return isolated(projectName);
  return `of ${isolated(projectName)} by ${isolated(nameText(author ?? ''))}`;
}

function Acts({ reported, name }: { reported: ReportedSubject; name: string }) {
  const { subject, subjectId, hiddenAt, content } = reported;
  const told = 'Reporters are notified.';
  return (
    <>
      {hiddenAt === null && content !== null ? (
        <HideAct subject={{ kind: subject, id: subjectId, name, hiddenAt }} told={told} />
      ) : null}
      <Act
        word="Dismiss"
        label={`Dismiss: ${subject} ${name}`}
        Icon={ThumbsUp}
        variant="ghost"
        ask={{ title: 'Dismiss the reports', description: 'Your reason is kept in the audit log.' }}
        call={(headers, reason) => api.dismissReports({ body: { subject, subjectId, reason }, headers })}
        done={{ title: 'Reports dismissed', description: told }}
        failed="Failed to dismiss"
      />
    </>
  );
}

function Reported({ reported }: { reported: ReportedSubject }) {
  const { subject, count, reasons, texts, firstAt, content, hiddenAt, projectSlug } = reported;
  const name = nameOf(reported);
  const title = `${SUBJECTS[subject].name} ${name}`;
  return (
    <Row acts={<Acts reported={reported} name={name} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {projectSlug === null ? (
          <span className="font-semibold">{title}</span>
        ) : (
          <ProjectLink slug={projectSlug}>{title}</ProjectLink>
        )}
        {hiddenAt ? <HiddenBadge /> : null}
      </p>
      {content === null ? null : <p className="text-muted wrap-anywhere whitespace-pre-wrap">{content}</p>}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span>
          {plural(count, 'report')}, the first <RelativeTime iso={firstAt} />
        </span>
        {reasonsOf(reported).map((reason) => (
          <Badge key={reason} tone="neutral">
            {REPORT_REASON_LABELS[reason]}: {reasons[reason]}
          </Badge>
        ))}
      </p>
      {texts.length > 0 ? (
        <ul className="grid gap-1 border-s-2 border-line ps-3 text-sm text-muted">
          {texts.map((text, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- texts have no ids, and two may be equal
            <li key={at} className="wrap-anywhere whitespace-pre-wrap">
              {text}
            </li>
          ))}
        </ul>
      ) : null}
    </Row>
  );
}

export const ReportsQueue = () => (
  <Queue
    title="Reports"
    noun="reports"
    source={adminList('listReports', {})}
    poll={pollQueue}
    empty={{ Icon: Flag, title: 'No open reports', text: 'Reports wait here for a decision.' }}
    csv={{ toRow }}
    renderRow={(reported) => <Reported key={`${reported.subject}-${reported.subjectId}`} reported={reported} />}
  />
);
