import { auth } from '#shared/contract/index.ts';
import { badRequest, notFound, unauthorized } from '#server/kit/http/errors.ts';
import { route } from '#server/kit/http/declare.ts';
import { deleteSession, deleteSessions, listSessions } from '#server/kit/http/session-queries.ts';
import { clearSessionCookie, endSession, startSession } from '#server/kit/http/session.ts';
import { EMPTY_SIGNATURE } from '#server/kit/signature-texts.ts';
import { admitWallet, createChallenge, describeSession, requireAddress, verifyChallenge } from './actions.ts';

export const authRoutes = [
  route(auth.signIn, { writes: ['sessions', 'sessions:own'] }, async ({ services, session, body, request, reply }) => {
    const limits = request.server.signInLimits;
    const walletAddress = requireAddress(body.walletAddress);
    if (body.signature === undefined && body.nonce === undefined) {
      if (session?.walletAddress === walletAddress) return describeSession(services, session.userId);
      limits.takeChallenge(request);
      const challenge = await createChallenge(services, walletAddress, 'sign_in');
      throw unauthorized('signature_required', 'Sign the message with your wallet to sign in', { challenge });
    }
    if (body.signature === '') throw badRequest('empty_signature', EMPTY_SIGNATURE);
    if (!body.signature || !body.nonce)
      throw badRequest('invalid_input', 'Send the challenge and its signature together');
    const { nonce, signature } = body;
    const userId = await limits.prove(
      request,
      () => verifyChallenge(services, { purpose: 'sign_in', walletAddress, nonce, signature }),
      () => admitWallet(services, walletAddress, () => limits.takeNewWallet(request)),
    );
    if (session) await endSession(services, reply, session);
    await startSession(services, request, reply, userId);
    return describeSession(services, userId);
  }),
  route(auth.signOut, { writes: ['sessions', 'sessions:own'] }, ({ services, session, reply }) =>
    endSession(services, reply, session),
  ),
  route(auth.listSessions, { cost: 'list' }, ({ services, session }) =>
    listSessions(services.db, session.userId, session.tokenHash),
  ),
  route(auth.endSession, { writes: ['sessions', 'sessions:own'] }, async ({ services, session, params, reply }) => {
    const tokenHash = await deleteSession(services.db, session.userId, params.id);
    if (!tokenHash) throw notFound('session_not_found', 'This session has already ended');
    if (tokenHash.equals(session.tokenHash)) clearSessionCookie(services, reply);
  }),
  route(auth.endSessions, { writes: ['sessions', 'sessions:own'] }, async ({ services, session, query, reply }) => {
    const keepsCurrent = query.keepCurrent === 'true';
    await deleteSessions(services.db, session.userId, keepsCurrent ? session.tokenHash : null);
    if (!keepsCurrent) clearSessionCookie(services, reply);
  }),
];
