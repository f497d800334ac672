import { dailyDeck } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { readDailyDeck } from './actions.ts';

export const dailyDeckRoutes = [
  route(dailyDeck.getDailyDeck, { cost: 'list' }, ({ services, session }) => readDailyDeck(services, session.userId)),
];
