import { accounts } from '#shared/contract/index.ts';
import { createChallenge, verifyChallenge } from '../auth/actions.ts';
import { badRequest, unauthorized } from '#server/kit/http/errors.ts';
import { route } from '#server/kit/http/declare.ts';
import { clearSessionCookie } from '#server/kit/http/session.ts';
import { EMPTY_SIGNATURE } from '#server/kit/signature-texts.ts';
import { writeArchive } from './archive/archive.ts';
import { endTurn, takeTurn } from './archive/turns.ts';
import { deleteAccount } from './delete.ts';

export const accountRoutes = [
  route(accounts.getArchive, { cost: 'list' }, async ({ services, session, reply }) => {
    const { db, config, log } = services;
    const { userId } = session;
    await takeTurn(db, userId);
    const end = (): void => {
      endTurn(db, userId).catch((error: unknown) => log.warn({ err: error }, 'the end of an archive was not noted'));
    };
    const archive = await writeArchive(db, userId, config.publicOrigin).catch((error: unknown) => {
      end();
      throw error;
    });
    reply.raw.once('close', () => {
      archive.destroy();
      end();
    });
    const name = `snapswipe-data-${new Date().toISOString().slice(0, 10)}.zip`;
    reply.type('application/zip').header('Content-Disposition', `attachment; filename="${name}"`);
    return archive;
  }),
  route(
    accounts.deleteAccount,
    { writes: ['profiles', 'projects:*', 'reviews:*', 'sessions', 'sessions:own'] },
    async ({ services, session, body, request, reply }) => {
      const limits = request.server.signInLimits;
      const { walletAddress } = session;
      const { nonce, signature, removeReviews } = body;
      if (signature === undefined && nonce === undefined) {
        limits.takeChallenge(request);
        const challenge = await createChallenge(services, walletAddress, 'delete_account');
        throw unauthorized('signature_required', 'Sign the message with your wallet to delete your account', {
          challenge,
        });
      }
      if (signature === '') throw badRequest('empty_signature', EMPTY_SIGNATURE);
      if (!signature || !nonce) throw badRequest('invalid_input', 'Send the challenge and its signature together');
      await limits.prove(
        request,
        () => verifyChallenge(services, { purpose: 'delete_account', walletAddress, nonce, signature }),
        () => deleteAccount(services, session, { removeReviews }),
      );
      clearSessionCookie(services, reply);
    },
  ),
];
