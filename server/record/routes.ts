import { record } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { sendPage } from '../http/pages.ts';
import { actorOf } from '../admin/audit.ts';
import { publishNow } from './actions.ts';
import { findOwnLiability } from './own-liability.ts';
import { listCheckpoints, voterSecret } from './queries.ts';
import { currentRecount } from './recount.ts';
import { summarizeRecord } from './summary.ts';

export const recordRoutes = [
  implement(record.getRecord, ({ services }) => summarizeRecord(services)),
  implement(record.listCheckpoints, async ({ services, query, reply }) =>
    sendPage(reply, await listCheckpoints(services.replica, query)),
  ),
  implement(record.getRecount, ({ services }) => currentRecount(services.db)),
  implement(record.getVoterSecret, async ({ services, session }) => ({
    secret: (await voterSecret(services.db, session.userId)).toString('base64url'),
  })),
  implement(record.getOwnLiability, async ({ services, session }) => ({
    liability: await findOwnLiability(services.db, session.userId),
  })),
  implement(record.publishRecord, ({ services, session, request }) => publishNow(services, actorOf(session, request))),
];
