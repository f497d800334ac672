import { payoutHistory } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { confirmMissing, decideTransfers } from './decide.ts';
import { readPayouts } from './gate.ts';
import { listTransfers, readStatus } from './queries.ts';

export const payoutHistoryRoutes = [
  route(payoutHistory.getPayoutHistory, { cost: 'list' }, ({ services }) => readStatus(services.db, services.config)),
  route(payoutHistory.readPayoutHistory, { writes: [] }, async ({ services }) => {
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  route(payoutHistory.confirmPayoutHistory, { writes: [] }, async ({ services, session, request, body }) => {
    await confirmMissing(services, actorOf(session, request), body);
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  route(payoutHistory.listTransfers, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listTransfers(services.db, services.config, query.state, query)),
  ),
  route(payoutHistory.decideTransfers, { writes: [] }, ({ services, session, request, body }) =>
    decideTransfers(services, actorOf(session, request), body),
  ),
];
