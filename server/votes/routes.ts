import { votes } from '#shared/contract/index.ts';
import { implement } from '../route.ts';
import { castVote } from './actions.ts';

export const voteRoutes = [
  implement(votes.castVote, ({ services, session, body }) =>
    castVote(services.votes, {
      tokenHash: session.tokenHash,
      userId: session.userId,
      projectId: body.projectId,
      bullish: body.voteType === 'bullish',
    }),
  ),
];
