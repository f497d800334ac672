import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { api } from '../../../lib/api.ts';

export const SUBJECTS: Record<ReportSubject, { name: string; author: string }> = {
  project: { name: 'Project', author: 'The owner' },
  review: { name: 'Review', author: 'The author' },
  reply: { name: 'Reply', author: 'The owner' },
};

export function moderate(
  headers: Record<string, string>,
  { kind, id }: { kind: ReportSubject; id: number },
  body: { hidden: boolean; reason: string },
) {
  const send = { project: api.moderateProject, review: api.moderateReview, reply: api.moderateReply }[kind];
  return send({ params: { id: String(id) }, body, headers });
}
