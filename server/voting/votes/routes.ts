import { votes } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { castVote } from './actions.ts';
import { changeVote } from './change.ts';
import { resolveProjectId } from '#server/listings/projects/queries.ts';
import { findOwnVote, showResult } from './own-vote.ts';
import { undoVote } from './undo.ts';

export const voteRoutes = [
  // The lists and whatever else changes with every vote follow with the notification of the batch.
  route(
    votes.castVote,
    { session: 'in-statement', writes: ['stats:own'] },
    ({ services, tokenHash, body, request }) => {
      const { userId, projectId, voteType, identity } = body;
      return castVote(
        services,
        { tokenHash, userId, projectId, bullish: voteType === 'bullish', identity },
        request.ip,
      );
    },
  ),
  route(
    votes.changeVote,
    { writes: ['stats', 'stats:own', 'counts'] },
    ({ services, session, params, body, request }) =>
      changeVote(
        services,
        {
          userId: session.userId,
          projectId: params.projectId,
          bullish: body.voteType === 'bullish',
          identity: body.identity,
        },
        request.ip,
      ),
  ),
  route(votes.undoVote, { writes: ['stats', 'stats:own', 'counts'] }, ({ services, session, params }) =>
    undoVote(services, session.userId, params.projectId),
  ),
  route(votes.showResult, { writes: ['stats', 'stats:own'] }, ({ services, session, params }) =>
    showResult(services, session.userId, params.projectId),
  ),
  route(votes.getOwnVote, { cost: 'list' }, async ({ services, session, params }) =>
    findOwnVote(services, session.userId, await resolveProjectId(services.db, params.id)),
  ),
];
