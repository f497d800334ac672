import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { createStore } from '../../lib/external-store.ts';
import { session } from '../../lib/session.ts';
import { connectFirst } from './connect-first.ts';

export interface Reported {
  subject: ReportSubject;
  subjectId: number;
  projectId: number;
  name: string;
}

export const reportAsked = createStore<Reported | null>(null);

export function askToReport(reported: Reported): void {
  reportAsked.set(reported);
  if (!session.get().user) void connectFirst(reportAsked);
}
