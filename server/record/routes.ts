import { formatVerifier } from '#shared/log/note.ts';
import { record } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { sendPage } from '../http/pages.ts';
import { actorOf } from '../admin/audit.ts';
import { publishNow } from './actions.ts';
import { findSigner } from './identity.ts';
import { findOwnLiability } from './own-liability.ts';
import { listCheckpoints, newestCheckpoints, voterSecret } from './queries.ts';
import { currentRecount } from './recount.ts';

/** Checkpoints in the summary. */
const NEWEST = 7;

export const recordRoutes = [
  implement(record.getRecord, async ({ services: { db, config } }) => {
    const [signer, checkpoints] = await Promise.all([findSigner(db, config), newestCheckpoints(db, NEWEST)]);
    return {
      isPublished: signer !== null,
      origin: signer?.name ?? null,
      verifierKey: signer && formatVerifier(signer),
      anchorSender: config.anchorKey?.toSuiAddress() ?? null,
      checkpoints,
    };
  }),
  implement(record.listCheckpoints, async ({ services, query, reply }) =>
    sendPage(reply, await listCheckpoints(services.db, query)),
  ),
  implement(record.getRecount, ({ services }) => currentRecount(services.db)),
  implement(record.getVoterSecret, async ({ services, session }) => ({
    secret: (await voterSecret(services.db, session.userId)).toString('base64url'),
  })),
  implement(record.getOwnLiability, async ({ services, session }) => ({
    liability: await findOwnLiability(services.db, session.userId),
  })),
  implement(record.publishRecord, ({ services, session, request }) => publishNow(services, actorOf(session, request))),
];
