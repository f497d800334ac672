import { auth } from '#shared/contract/index.ts';
import { badRequest, unauthorized } from '../errors.ts';
import { implement } from '../route.ts';
import { endSession, startSession } from '../session.ts';
import { createChallenge, describeSession, requireAddress, verifyChallenge } from './actions.ts';

export const authRoutes = [
  implement(auth.signIn, async ({ services, session, body, reply }) => {
    const walletAddress = requireAddress(body.walletAddress);
    if (body.signature === undefined && body.nonce === undefined) {
      if (session?.walletAddress === walletAddress) return describeSession(services, session.userId);
      const challenge = await createChallenge(services, walletAddress);
      throw unauthorized('signature_required', 'Sign the message with your wallet to sign in', { challenge });
    }
    if (!body.signature || !body.nonce) throw badRequest('invalid_input', 'nonce and signature belong together');
    const userId = await verifyChallenge(services, walletAddress, body.nonce, body.signature);
    if (session) await endSession(services, reply, session);
    await startSession(services.db, services.config, reply, userId);
    return describeSession(services, userId);
  }),

  implement(auth.signOut, async ({ services, session, reply }) => {
    await endSession(services, reply, session);
    return { success: true as const };
  }),
];
