import { follows } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { readFollows, setFollow } from './queries.ts';

export const followRoutes = [
  route(follows.getFollows, { cost: 'list' }, ({ services, session }) => readFollows(services.db, session.userId)),
  route(follows.followProject, { writes: [] }, ({ services, session, params, body }) =>
    setFollow(services.db, session.userId, params.id, body.follows),
  ),
];
