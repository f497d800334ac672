import { votes } from '#shared/contract/index.ts';
import { implement, implementWithSessionToken } from '../http/declare.ts';
import { castVote } from './actions.ts';
import { findOwnVote, showResult } from './own-vote.ts';
import { undoVote } from './undo.ts';

export const voteRoutes = [
  implementWithSessionToken(votes.castVote, ({ services, tokenHash, body, request }) => {
    const { userId, projectId, voteType } = body;
    return castVote(services, { tokenHash, userId, projectId, bullish: voteType === 'bullish' }, request.ip);
  }),
  implement(votes.undoVote, ({ services, session, params }) => undoVote(services, session.userId, params.projectId)),
  implement(votes.showResult, ({ services, session, params }) =>
    showResult(services, session.userId, params.projectId),
  ),
  implement(votes.getOwnVote, ({ services, session, params }) => findOwnVote(services, session.userId, params.id)),
];
