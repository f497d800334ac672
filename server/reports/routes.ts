import { reports } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { postReport } from './actions.ts';

export const reportRoutes = [
  implement(reports.postReport, async ({ services, session, body }) => {
    await postReport(services, session.userId, body);
    return { success: true as const };
  }),
];
