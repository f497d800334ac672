import type { Db } from '#db/client.ts';
import type { Project } from '#shared/contract/types.ts';
import { createBuckets } from '#server/kit/http/buckets.ts';
import { conflict, notFound, rateLimited } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { findProject, listingOf, type ProjectRow } from '../projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { askChain, type Found, lockUnchanged, requireShown } from './ask-chain.ts';
import { handOver, lockClaim, type Way, wayOf } from './claim.ts';
import { findProof, type NewProof, storeProof, withOneProof } from './store.ts';
import { openClaim } from './take-over.ts';

const TRIES_PER_HOUR = 20;
const tries = createBuckets({ perSecond: TRIES_PER_HOUR / 3_600, most: TRIES_PER_HOUR });

async function findProvable({ db }: Services, session: SessionUser, ref: string): Promise<[ProjectRow, Way]> {
  const project = await findProject(db, ref);
  const isOwn = project?.ownerId === session.userId;
  if (!project || (project.hiddenAt && !isOwn)) throw notFound('project_not_found', 'Project not found');
  const way = wayOf(project, session);
  requireShown(project);
  if (project.coinType === null && project.packageId === null)
    throw conflict(
      'nothing_named',
      `The listing names neither a coin nor a package.${isOwn ? ' Add one with an update first.' : ''}`,
    );
  return [project, way];
}

async function isKnown(trx: Db, { projectId, state, wallet, subject, control }: NewProof): Promise<boolean> {
  const proof = await findProof(trx, projectId);
  return (
    proof?.state === state &&
    proof.wallet === wallet &&
    proof.subject === subject &&
    proof.objectId === (control?.objectId ?? null)
  );
}

interface Asked {
  project: ProjectRow;
  way: Way;
  session: SessionUser;
}

async function prove(trx: Db, { project, way, session }: Asked, found: Found): Promise<void> {
  const { userId, walletAddress: wallet } = session;
  if (way !== 'prove') await lockClaim(trx, project.id, userId);
  await lockUnchanged(trx, project, way === 'claim');
  if (way === 'takeOver') return openClaim(trx, project, userId);
  const state = project.coinSource === 'lister' ? 'controls' : 'proven';
  const proof: NewProof = { projectId: project.id, state, wallet, ...found, reason: null };
  if (way === 'claim') await handOver(trx, project, userId);
  else if (await isKnown(trx, proof)) return;
  await storeProof(trx, proof);
}

/**
 * Proves that the session's wallet controls the coin or package of its listing (R71), claims an unclaimed one, or
 * begins to take over one of another wallet (R72).
 * @throws 403, 404, 409, 429, 503
 */
export async function proveOwnership(
  services: Services,
  session: SessionUser,
  ref: string,
): Promise<Project['listing']> {
  const [project, way] = await findProvable(services, session, ref);
  const waitMs = tries.take(String(session.userId), 1);
  if (waitMs > 0) throw rateLimited(waitMs);
  const found = await askChain(services, session.walletAddress, project);
  await withOneProof(services.db.transaction().execute((trx) => prove(trx, { project, way, session }, found)));
  const after = await findProject(services.db, String(project.id));
  if (!after) throw notFound('project_not_found', 'Project not found');
  return listingOf(after);
}
