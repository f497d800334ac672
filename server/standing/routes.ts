import { standing } from '#shared/contract/index.ts';
import { implement, implementCached } from '../http/declare.ts';
import { postAppeal } from './appeals.ts';
import { findStanding, loadTrust } from './queries.ts';
import { readStandingNow } from './read-standing.ts';

/** The days of the chart end with the UTC day. */
const nextUtcMidnightMs = (): number => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000;

export const standingRoutes = [
  implementCached(standing.getTrust, {
    key: () => 'trust',
    tags: () => ['t'],
    load: async ({ services }) => ({ value: await loadTrust(services), expiresAtMs: nextUtcMidnightMs() }),
  }),
  implement(standing.getStanding, ({ services, session }) => findStanding(services, session.userId)),
  implement(standing.readStandingNow, ({ services }) => readStandingNow(services)),
  implement(standing.postAppeal, ({ services, session, body }) => postAppeal(services, session.userId, body.text)),
];
