import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { REPORT_REASONS, REPORT_SUBJECTS } from '../people/report-kinds.ts';
import { inPages } from './pages.ts';
import { Id, Ok, Reason, Time } from './types.ts';

/** `subjectId` of a reply is the id of its review. */
const Subject = { subject: z.enum(REPORT_SUBJECTS), subjectId: Id };

export const postReport = endpoint('postReport', {
  access: 'user',
  summary: 'Report a project, a review, or a reply to the admin; once per user and subject',
  status: 201,
  body: z.object({ ...Subject, reason: z.enum(REPORT_REASONS), text: z.string().max(5000).default('') }),
  statuses: {
    403: 'It is your own',
    404: 'It does not exist, or is hidden',
    409: 'You have already reported it, or too many of your reports are open',
  },
  response: Ok,
});

export const ReportedSubject = z.object({
  ...Subject,
  count: z.int(),
  reasons: z.partialRecord(z.enum(REPORT_REASONS), z.int()),
  texts: z.array(z.string()),
  firstAt: Time,
  lastAt: Time,
  /** The text of the review or reply, the description of the project; null if it was deleted. */
  content: z.string().nullable(),
  author: z.string().nullable(),
  projectName: z.string().nullable(),
  projectSlug: z.string().nullable(),
  hiddenAt: Time.nullable(),
});
export type ReportedSubject = z.output<typeof ReportedSubject>;

export const listReports = endpoint('listReports', {
  access: 'admin',
  summary: 'Subjects with open reports, oldest first',
  ...inPages({ size: 50, max: 500 }),
  response: z.array(ReportedSubject),
});

export const dismissReports = endpoint('dismissReports', {
  access: 'admin',
  summary: 'Dismiss the open reports on a subject; hiding the subject also resolves them',
  body: z.object({ ...Subject, reason: Reason }),
  statuses: { 404: 'It has no open reports' },
  response: Ok,
});
