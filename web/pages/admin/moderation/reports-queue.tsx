import { useMutation } from '@tanstack/react-query';
import { EyeOff, Flag, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ReportedSubject } from '#shared/contract/reports.ts';
import { plural } from '#shared/plural.ts';
import { REPORT_REASON_LABELS, REPORT_REASONS } from '#shared/report-kinds.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toast.ts';
import { useList } from '../../../lib/use-list.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminLists, pollQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CsvButton } from '../table/csv-button.tsx';
import { moderate, refreshModerated, SUBJECTS, who } from './moderate.ts';

const COLUMNS = [
  'subject',
  'subjectId',
  'count',
  'reasons',
  'texts',
  'firstAt',
  'lastAt',
  'content',
  'author',
  'projectSlug',
  'projectName',
  'hiddenAt',
];

/** Reasons and texts as people read them, in a cell each. */
const toRows = ({ reasons, texts, ...row }: ReportedSubject) => [
  {
    ...row,
    reasons: REPORT_REASONS.filter((reason) => reasons[reason])
      .map((reason) => `${reason}: ${reasons[reason]}`)
      .join('; '),
    texts: texts.join(' | '),
  },
];

/** 'Project Coral', 'Review of Coral by ana'. */
function nameOf({ subject, projectName, author }: ReportedSubject): string {
  const { name } = SUBJECTS[subject];
  if (projectName === null) return `${name} that is gone`;
  if (subject === 'project') return `${name} ${projectName}`;
  return `${name} of ${projectName} by ${who(author ?? '')}`;
}

function Facts({ reported }: { reported: ReportedSubject }) {
  const { count, reasons, texts, firstAt, content, hiddenAt, projectSlug } = reported;
  const name = nameOf(reported);
  return (
    <div className="grid min-w-0 flex-1 basis-64 gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {projectSlug === null ? (
          <span className="font-semibold">{name}</span>
        ) : (
          <Link
            href={paths.project({ id: 0, slug: projectSlug })}
            className="font-semibold underline-offset-4 wrap-anywhere hover:underline"
          >
            {name}
          </Link>
        )}
        {hiddenAt ? (
          <Badge tone="warn">
            <EyeOff aria-hidden size={14} />
            Hidden
          </Badge>
        ) : null}
      </p>
      {content === null ? null : <p className="text-muted wrap-anywhere whitespace-pre-wrap">{content}</p>}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span>
          {plural(count, 'report')}, the first <RelativeTime iso={firstAt} />
        </span>
        {REPORT_REASONS.filter((reason) => reasons[reason]).map((reason) => (
          <Badge key={reason} tone="neutral">
            {REPORT_REASON_LABELS[reason]}: {reasons[reason]}
          </Badge>
        ))}
      </p>
      {texts.length > 0 ? (
        <ul className="grid gap-1 border-l-2 border-line pl-3 text-sm text-muted">
          {texts.map((text, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- texts have no ids, and two may be equal
            <li key={at} className="wrap-anywhere whitespace-pre-wrap">
              {text}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

type Decision = 'hide' | 'dismiss';

function useDecide({ subject, subjectId }: ReportedSubject, onDone: () => void) {
  return useMutation({
    mutationFn: ({ decision, reason }: { decision: Decision; reason: string }) =>
      decision === 'hide'
        ? moderate(subject, subjectId, { hidden: true, reason })
        : adminRequest((headers) => api.dismissReports({ body: { subject, subjectId, reason }, headers })),
    onSuccess: (_done, { decision }) => {
      onDone();
      const title = decision === 'hide' ? `${SUBJECTS[subject].name} hidden` : 'Reports dismissed';
      toast({ title, description: 'Those who reported it get a notification.', variant: 'success' });
    },
    onError: (error, { decision }) => showFailure('Error', error, `Failed to ${decision}`),
    onSettled: refreshModerated,
  });
}

function Row({ reported }: { reported: ReportedSubject }) {
  const { subject, hiddenAt, content } = reported;
  const [asked, setAsked] = useState<Decision | null>(null);
  const { mutate, isPending } = useDecide(reported, () => setAsked(null));
  const name = nameOf(reported);
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 py-4 first:pt-1 last:pb-1">
      <Facts reported={reported} />
      <p className="flex flex-wrap gap-3">
        {hiddenAt === null && content !== null ? (
          <Button variant="secondary" aria-label={`Hide: ${name}`} onClick={() => setAsked('hide')}>
            <EyeOff aria-hidden size={18} />
            Hide
          </Button>
        ) : null}
        <Button variant="ghost" aria-label={`Dismiss: ${name}`} onClick={() => setAsked('dismiss')}>
          <ThumbsUp aria-hidden size={18} />
          Dismiss
        </Button>
      </p>
      {asked ? (
        <ReasonDialog
          title={asked === 'hide' ? `Hide the ${subject}` : 'Dismiss the reports'}
          description={
            asked === 'hide'
              ? `${SUBJECTS[subject].author} can read your reason.`
              : 'Your reason is kept in the audit log.'
          }
          action={asked === 'hide' ? 'Hide' : 'Dismiss'}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsked(null)}
          onSubmit={(reason) => mutate({ decision: asked, reason })}
        />
      ) : null}
    </li>
  );
}

/** Reports of users, by subject, those that wait longest first (R51). */
export function ReportsQueue() {
  const source = adminLists.reports();
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'reports', refetchInterval: pollQueue });
  return (
    <Card aria-labelledby="reports" className="grid grid-cols-1 gap-4">
      <CardTitle id="reports" aside={<TotalCount total={rows && more.total} />}>
        Reports
      </CardTitle>
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {rows?.length === 0 ? (
        <EmptyState icon={<Flag size={28} />} title="Nothing reported">
          No report waits for a decision.
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <ul className="divide-y divide-line">
            {rows.map((reported) => (
              <Row key={`${reported.subject}-${reported.subjectId}`} reported={reported} />
            ))}
          </ul>
          <ShowMore more={more} noun="reports" />
          <CsvButton name="Reports" columns={COLUMNS} source={source} toRows={toRows} />
        </>
      ) : null}
    </Card>
  );
}
