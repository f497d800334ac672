import { accounts } from '#shared/contract/index.ts';
import { createChallenge, verifyChallenge } from '../auth/actions.ts';
import { badRequest, unauthorized } from '../http/errors.ts';
import { implement } from '../http/declare.ts';
import { clearSessionCookie, invalidateSessions } from '../http/session.ts';
import { deleteAccount } from './delete.ts';

export const accountRoutes = [
  implement(accounts.deleteAccount, async ({ services, session, body, request, reply }) => {
    const limits = request.server.signInLimits;
    const { walletAddress, userId } = session;
    const { nonce, signature, removeReviews } = body;
    if (signature === undefined && nonce === undefined) {
      await limits.takeChallenge(request, walletAddress);
      const challenge = await createChallenge(services, walletAddress, 'delete_account');
      throw unauthorized('signature_required', 'Sign the message with your wallet to delete your account', {
        challenge,
      });
    }
    if (!signature || !nonce) throw badRequest('invalid_input', 'Send the challenge and its signature together');
    await limits.prove(request, () =>
      verifyChallenge(services, { purpose: 'delete_account', walletAddress, nonce, signature }),
    );
    await deleteAccount(services, session, { removeReviews });
    invalidateSessions(services, userId);
    clearSessionCookie(services, reply);
    return { success: true as const };
  }),
];
