import { users } from '#shared/contract/index.ts';
import { implement } from '../route.ts';
import { changeProfile } from './actions.ts';
import { listActivity } from './activity.ts';
import { findStats, findUser, findVotingStatus, listVotes } from './queries.ts';

export const userRoutes = [
  implement(users.getUser, ({ services, session }) => findUser(services.db, session.userId)),
  implement(users.updateUser, ({ services, session, body }) => changeProfile(services, session.userId, body)),
  implement(users.replaceUser, ({ services, session, body }) => changeProfile(services, session.userId, body)),
  implement(users.getStats, ({ services, session }) => findStats(services.db, session.userId)),
  implement(users.getVotingStatus, ({ services, session }) => findVotingStatus(services.db, session.userId)),
  implement(users.listVotes, ({ services, session, query }) => listVotes(services.db, session.userId, query.limit)),
  implement(users.listActivity, ({ services, session }) => listActivity(services.db, session.userId)),
];
