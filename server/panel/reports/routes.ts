import { reports } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { postReport } from './actions.ts';

export const reportRoutes = [
  route(reports.postReport, { writes: [] }, ({ services, session, body }) =>
    postReport(services, session.userId, body),
  ),
];
