import type { ReportSubject } from '#shared/report-kinds.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { adminRequest } from '../admin-session.ts';

/** The subject of a moderation, and its owner. */
export const SUBJECTS: Record<ReportSubject, { name: string; author: string }> = {
  project: { name: 'Project', author: 'The owner' },
  review: { name: 'Review', author: 'The author' },
  reply: { name: 'Reply', author: 'The owner' },
};

/** A username as it is, an address shortened. */
export const who = (name: string): string => (name.startsWith('0x') ? shortenAddress(name) : name);

/** Hides or unhides; the id of a reply is that of its review. */
export function moderate(subject: ReportSubject, id: number, body: { hidden: boolean; reason: string }) {
  const send = { project: api.moderateProject, review: api.moderateReview, reply: api.moderateReply }[subject];
  return adminRequest((headers) => send({ params: { id: String(id) }, body, headers }));
}

/** Lists that show projects, reviews, or reports. */
const TOUCHED = [
  ['/api/admin', 'moderation'],
  ['/api/projects'],
  ['/api/projects/leaderboard/all'],
  ['/api/v1/projects'],
  ['/api/reviews'],
];

export function refreshModerated(): void {
  for (const queryKey of TOUCHED) void queryClient.invalidateQueries({ queryKey });
}
