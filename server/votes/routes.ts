import { votes } from '#shared/contract/index.ts';
import { implementWithSessionToken } from '../http/declare.ts';
import { castVote } from './actions.ts';

export const voteRoutes = [
  implementWithSessionToken(votes.castVote, ({ services, tokenHash, body }) =>
    castVote(services, {
      tokenHash,
      userId: body.userId,
      projectId: body.projectId,
      bullish: body.voteType === 'bullish',
    }),
  ),
];
