import { votes } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { resolveProjectId } from '#server/listings/projects/queries.ts';
import { castVote, changeVote, undoVote } from './actions.ts';
import { findDirections, findOwnVote, setReasons, showResult } from './own-vote.ts';

export const voteRoutes = [
  route(votes.castVote, { session: 'in-statement', writes: ['stats:own'] }, ({ services, tokenHash, body, request }) =>
    castVote(services, { ...body, tokenHash }, request.ip),
  ),
  route(votes.changeVote, { writes: ['stats:own', 'counts'] }, ({ services, session, params, body, request }) =>
    changeVote(services, { ...body, ...params, userId: session.userId }, request.ip),
  ),
  route(votes.undoVote, { writes: ['stats:own', 'counts'] }, ({ services, session, params }) =>
    undoVote(services, session.userId, params.projectId),
  ),
  route(votes.showResult, { writes: ['stats:own'] }, ({ services, session, params }) =>
    showResult(services, session.userId, params.projectId),
  ),
  route(votes.setReasons, { writes: [] }, ({ services, session, params, body }) =>
    setReasons(services, session.userId, { ...params, ...body }),
  ),
  route(votes.getDirections, { cost: 'list' }, ({ services, session }) => findDirections(services.db, session.userId)),
  route(votes.getOwnVote, { cost: 'list' }, async ({ services, session, params }) =>
    findOwnVote(services, session.userId, await resolveProjectId(services.db, params.id)),
  ),
];
