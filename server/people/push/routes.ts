import { push } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { describeChoice, renew, sendTest, subscribe } from './actions.ts';
import { endAll, endHere, storeKinds } from './queries.ts';

export const pushRoutes = [
  route(push.getPush, { cost: 'small' }, ({ services, session }) => describeChoice(services, session)),
  route(push.choosePush, { writes: [] }, async ({ services, session, body }) => {
    await storeKinds(services.db, session.userId, body.kinds);
    return describeChoice(services, session);
  }),
  route(push.endPush, { writes: [] }, async ({ services, session }) => {
    await services.db.transaction().execute((trx) => endAll(trx, session.userId));
    return describeChoice(services, session);
  }),
  route(push.subscribePush, { writes: [] }, async ({ services, session, body }) => {
    await subscribe(services, session, body);
    return describeChoice(services, session);
  }),
  route(push.endPushHere, { writes: [] }, async ({ services, session }) => {
    await endHere(services.db, session.tokenHash);
    return describeChoice(services, session);
  }),
  route(push.renewPush, { writes: [] }, ({ services, session, body }) => renew(services, session, body)),
  route(push.testPush, { writes: [] }, ({ services, session }) => sendTest(services, session)),
];
