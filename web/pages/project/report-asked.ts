import type { ReportSubject } from '#shared/report-kinds.ts';
import { openConnectDialog } from '../../wallet-gate.ts';
import { createStore } from '../../lib/external-store.ts';
import { session } from '../../lib/session.ts';
import { connectDialogClosed } from '../../lib/wallet-state.ts';

export interface Reported {
  subject: ReportSubject;
  subjectId: number;
  projectId: number;
  name: string;
}

/** Outlives the page's new start at a sign-in: a visitor connects and continues where the button was pressed. */
export const reportAsked = createStore<Reported | null>(null);

export function askToReport(reported: Reported): void {
  reportAsked.set(reported);
  if (!session.get().user) void connectFirst();
}

async function connectFirst(): Promise<void> {
  openConnectDialog();
  await connectDialogClosed();
  if (!session.get().user) reportAsked.set(null);
}
