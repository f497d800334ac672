import { users } from '#shared/contract/index.ts';
import { sendPage } from '../http/pages.ts';
import { implement, implementCached } from '../http/declare.ts';
import { changeProfile } from './actions.ts';
import { listActivity } from '../activity/queries.ts';
import { findStats, findUser, findVotingStatus, listVotes } from './queries.ts';

const DAY_MS = 86_400_000;
/** A streak is counted in UTC days. */
const nextUtcMidnightMs = (): number => (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;

export const userRoutes = [
  implement(users.getUser, ({ services, session }) => findUser(services.db, session.userId)),
  implement(users.updateUser, ({ services, session, body }) => changeProfile(services, session.userId, body)),
  implement(users.replaceUser, ({ services, session, body }) => changeProfile(services, session.userId, body)),
  implementCached(users.getStats, {
    key: ({ session }) => `stats:${session.userId}`,
    tags: ({ session }) => [`u:${session.userId}`],
    load: async ({ services, session }) => ({
      value: await findStats(services.db, session.userId),
      expiresAtMs: nextUtcMidnightMs(),
    }),
  }),
  implementCached(users.getVotingStatus, {
    key: ({ session }) => `voting-status:${session.userId}`,
    tags: ({ session }) => [`u:${session.userId}`],
    load: async ({ services, session }) => {
      const value = await findVotingStatus(services.db, session.userId);
      return value.periodEndsAt === null ? { value } : { value, expiresAtMs: Date.parse(value.periodEndsAt) };
    },
  }),
  implement(users.listVotes, async ({ services, session, query, reply }) =>
    sendPage(reply, await listVotes(services.db, session.userId, query)),
  ),
  implement(users.listActivity, async ({ services, session, query, reply }) =>
    sendPage(reply, await listActivity(services.db, session.userId, query)),
  ),
];
