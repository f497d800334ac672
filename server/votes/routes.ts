import { votes } from '#shared/contract/index.ts';
import { implementWithSessionToken } from '../http/declare.ts';
import { castVote } from './actions.ts';

export const voteRoutes = [
  implementWithSessionToken(votes.castVote, async ({ services, tokenHash, body, request }) => {
    const { userId, projectId } = body;
    const response = await castVote(services, { tokenHash, userId, projectId, bullish: body.voteType === 'bullish' });
    services.networks.note(userId, request.ip);
    return response;
  }),
];
