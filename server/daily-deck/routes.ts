import { dailyDeck } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { readDailyDeck } from './actions.ts';

export const dailyDeckRoutes = [
  implement(dailyDeck.getDailyDeck, ({ services, session }) => readDailyDeck(services, session.userId)),
];
