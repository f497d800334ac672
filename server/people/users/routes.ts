import { users } from '#shared/contract/index.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { route } from '#server/kit/http/declare.ts';
import { changeProfile } from './actions.ts';
import { listActivity } from '../activity/queries.ts';
import { findStats, findUser, findVotingStatus, listVotes } from './queries.ts';
import { summarizeCalls } from './summarize-calls.ts';

const DAY_MS = 86_400_000;
const nextUtcMidnightMs = (): number => (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;

export const userRoutes = [
  route(users.getUser, { cost: 'list' }, ({ services, session }) => findUser(services.db, session.userId)),
  route(users.updateUser, { writes: ['profiles'] }, ({ services, session, body }) =>
    changeProfile(services, session.userId, body),
  ),
  route(users.replaceUser, { writes: ['profiles'] }, ({ services, session, body }) =>
    changeProfile(services, session.userId, body),
  ),
  route(
    users.getStats,
    { cache: { key: ({ session }) => `stats:${session.userId}`, reads: ['stats:own'] } },
    async ({ services, session }) => ({
      value: await findStats(services.db, session.userId),
      expiresAtMs: nextUtcMidnightMs(),
    }),
  ),
  route(
    users.getVotingStatus,
    { cache: { key: ({ session }) => `voting-status:${session.userId}`, reads: ['stats:own'] } },
    async ({ services, session }) => {
      const value = await findVotingStatus(services.db, session.userId);
      return value.periodEndsAt === null ? { value } : { value, expiresAtMs: Date.parse(value.periodEndsAt) };
    },
  ),
  route(users.listVotes, { cost: 'list' }, async ({ services, session, query, reply }) =>
    sendPage(reply, await listVotes(services, session.userId, query)),
  ),
  route(users.getCalls, { cost: 'list' }, ({ services, session }) => summarizeCalls(services, session.userId)),
  route(users.listActivity, { cost: 'list' }, async ({ services, session, query, reply }) =>
    sendPage(reply, await listActivity(services.db, session.userId, query)),
  ),
];
