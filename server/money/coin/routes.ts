import { coin } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { draftCoin, publishCoin, readCoinState } from './actions.ts';

export const coinRoutes = [
  route(coin.getCoin, { cost: 'list' }, ({ services }) => readCoinState(services)),
  route(coin.prepareCoin, { writes: [] }, async ({ services, body }) => {
    const { bytes: _unsigned, ...draft } = await draftCoin(services, body);
    return draft;
  }),
  route(coin.executeCoin, { writes: [] }, ({ services, session, request, body }) =>
    publishCoin(services, actorOf(session, request), body),
  ),
];
