import { admin, payouts } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { readAutomatic } from './automatic.ts';
import { beginNext } from './book.ts';
import { prepare, recordByHand, send } from './pay-by-wallet.ts';
import { approve, confirmPaidEarlier, listQueue, reject } from './queue.ts';
import { readPayoutBook } from './state.ts';

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
  route(payouts.confirmPaidEarlier, { writes: [] }, ({ services, session, request, params, body }) =>
    confirmPaidEarlier(services, actorOf(session, request), params.id, body.reason),
  ),
  route(admin.getAutomaticPayouts, { cost: 'list' }, ({ services }) => readAutomatic(services)),
  route(payouts.getPayoutBook, { cost: 'list' }, ({ services }) => readPayoutBook(services)),
  route(payouts.beginBook, { writes: [] }, async ({ services, session, request, body }) => {
    await beginNext(services, actorOf(session, request), readReason(body.reason));
    return readPayoutBook(services);
  }),
  route(payouts.preparePayout, { writes: [] }, ({ services, session, request, body }) =>
    prepare(services, actorOf(session, request), body.withdrawalIds),
  ),
  route(payouts.sendPayout, { writes: [] }, ({ services, session, request, body }) =>
    send(services, actorOf(session, request), body.withdrawalIds, body.signed),
  ),
  route(payouts.recordPayout, { writes: [] }, ({ services, session, request, body }) =>
    recordByHand(services, actorOf(session, request), body),
  ),
];
