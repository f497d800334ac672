import { standing } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { postAppeal } from './own-appeals.ts';
import { findReach } from '../totals/reach.ts';
import { findStanding, loadTrust } from './queries.ts';
import { readStandingNow } from './read-standing.ts';

const nextUtcMidnightMs = (): number => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000;

export const standingRoutes = [
  route(standing.getTrust, { cache: { key: () => 'trust', reads: ['trust'] } }, async ({ services }) => ({
    value: await loadTrust(services),
    expiresAtMs: nextUtcMidnightMs(),
  })),
  route(standing.getReach, { cache: { key: () => 'reach', reads: ['trust'] } }, async ({ services }) => ({
    value: await findReach(services.replica),
    expiresAtMs: nextUtcMidnightMs(),
  })),
  route(standing.getStanding, { cost: 'list' }, ({ services, session }) => findStanding(services, session.userId)),
  route(standing.readStandingNow, { writes: ['trust'] }, ({ services }) => readStandingNow(services)),
  route(standing.postAppeal, { writes: [] }, ({ services, session, body }) =>
    postAppeal(services, session.userId, body),
  ),
];
