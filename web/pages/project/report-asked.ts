import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { createStore } from '../../lib/external-store.ts';
import { session } from '../../lib/session.ts';
import { connectFirst } from './connect-first.ts';

export interface Reported {
  subject: ReportSubject;
  subjectId: number;
  projectId: number;
  name: string;
  /** A team that says which coin is its own. */
  isMine?: true;
  isConnecting?: true;
}

export const reportAsked = createStore<Reported | null>(null);

export function askToReport(reported: Reported): void {
  reportAsked.set(reported);
  if (!session.get().user && !reported.isMine) void connectFirst(reportAsked);
}

/** A team reads what it is asked for before it connects. */
export function connectToReport(reported: Reported): void {
  reportAsked.set({ ...reported, isConnecting: true });
  void connectFirst(reportAsked);
}
