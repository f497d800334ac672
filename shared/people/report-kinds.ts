/** Subjects of reports (R51). A reply has the id of its review. */
export const REPORT_SUBJECTS = ['project', 'review', 'reply'] as const;
export type ReportSubject = (typeof REPORT_SUBJECTS)[number];

export const REPORT_REASONS = ['spam', 'scam', 'abuse', 'impersonation', 'other', 'ownership'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
/** A listing's owner, whose wallet controls its coin, or a team asks a moderator to set the coin (R72). */
export const OWNERSHIP_REASON: ReportReason = 'ownership';

export const REPORT_REASON_LABELS: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  scam: 'Scam or fraud',
  abuse: 'Insults or hate',
  impersonation: 'Pretends to be someone else',
  other: 'Something else',
  ownership: 'It is theirs: look at the coin',
};

export const REPORT_MAX_CHARS = 500;

export const REPORT_RESOLUTIONS = ['hidden', 'dismissed'] as const;
export type ReportResolution = (typeof REPORT_RESOLUTIONS)[number];
