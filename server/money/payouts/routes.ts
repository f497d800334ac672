import { admin } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { readAutomatic } from './automatic.ts';
import { execute } from './execute.ts';
import { cancel, prepare } from './prepare.ts';
import { listBatches, toBatch } from '../batches/queries.ts';
import { approve, listQueue, reject } from './queue.ts';

export const payoutRoutes = [
  route(admin.listAllWithdrawals, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listQueue(services.db, query, query)),
  ),
  route(admin.approveWithdrawal, { writes: [] }, ({ services, session, request, params }) =>
    approve(services, actorOf(session, request), params.id),
  ),
  route(admin.rejectWithdrawal, { writes: [] }, ({ services, session, request, params, body }) =>
    reject(services, actorOf(session, request), params.id, body.reason),
  ),
  route(admin.getAutomaticPayouts, { cost: 'list' }, ({ services }) => readAutomatic(services)),
  route(admin.listPayouts, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listBatches(services.db, query)).map(toBatch),
  ),
  route(admin.preparePayout, { writes: [] }, async ({ services, session, request, body }) =>
    toBatch(await prepare(services, actorOf(session, request), body.withdrawalIds)),
  ),
  route(admin.executePayout, { writes: [] }, async ({ services, session, request, params, body }) =>
    toBatch(await execute(services, actorOf(session, request), params.id, body)),
  ),
  route(admin.cancelPayout, { writes: [] }, async ({ services, session, request, params }) =>
    toBatch(await cancel(services, actorOf(session, request), params.id)),
  ),
];
