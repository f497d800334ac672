import { withdrawals } from '#shared/contract/index.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { route } from '#server/kit/http/declare.ts';
import { findStats } from '#server/people/users/queries.ts';
import { requestWithdrawal } from './actions.ts';
import { findPrepaid } from './prepaid.ts';
import { isPaused, listOwn } from './queries.ts';

export const withdrawalRoutes = [
  route(withdrawals.requestWithdrawal, { writes: ['stats:own'] }, async ({ services, session, body, request }) => {
    const key = request.headers['idempotency-key'];
    const withdrawal = await requestWithdrawal(services, session, body.tokenAmount, key);
    return { withdrawal, userStats: await findStats(services.db, session.userId) };
  }),

  route(withdrawals.listWithdrawals, { cost: 'list' }, async ({ services, session, query, reply }) => {
    const [paused, own, prepaid] = await Promise.all([
      isPaused(services.db),
      listOwn(services.db, session.userId, query),
      findPrepaid(services, session),
    ]);
    return { paused, prepaid, withdrawals: sendPage(reply, own) };
  }),
];
