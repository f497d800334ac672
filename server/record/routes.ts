import { record } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { actorOf } from '#server/books/audit.ts';
import { publishNow } from './actions.ts';
import { listCheckpoints, voterSecret } from './queries.ts';
import { currentRecount } from './recount.ts';
import { summarizeRecord } from './summary.ts';

export const recordRoutes = [
  route(record.getRecord, { cost: 'list' }, ({ services }) => summarizeRecord(services)),
  route(record.listCheckpoints, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listCheckpoints(services.replica, query)),
  ),
  route(record.getRecount, { cost: 'list' }, ({ services }) => currentRecount(services.db)),
  route(record.getVoterSecret, { cost: 'list' }, async ({ services, session }) => ({
    secret: (await voterSecret(services.db, session.userId)).toString('base64url'),
  })),
  route(record.publishRecord, { writes: [] }, ({ services, session, request }) =>
    publishNow(services, actorOf(session, request)),
  ),
];
