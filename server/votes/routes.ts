import { votes } from '#shared/contract/index.ts';
import { implementUnchecked } from '../http/route.ts';
import { castVote } from './actions.ts';

export const voteRoutes = [
  implementUnchecked(votes.castVote, ({ services, tokenHash, body }) =>
    castVote(services, {
      tokenHash,
      userId: body.userId,
      projectId: body.projectId,
      bullish: body.voteType === 'bullish',
    }),
  ),
];
