import { findControl, TooManyObjectsError } from '#chain/ownership.ts';
import type { Db } from '#db/client.ts';
import type { Project } from '#shared/contract/types.ts';
import { neededObjects } from '#shared/listings/ownership.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import { createBuckets } from '#server/kit/http/buckets.ts';
import { conflict, notFound, rateLimited, unavailable } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { findProject, listingOf, type ProjectRow } from '../projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { handOver, lockClaim, requireMayProve, requireStillUnclaimed } from './claim.ts';
import { readVersions } from './packages.ts';
import { findProof, type NewProof, storeProof, withOneProof } from './store.ts';

const TRIES_PER_HOUR = 20;
const tries = createBuckets({ perSecond: TRIES_PER_HOUR / 3_600, most: TRIES_PER_HOUR });

const away = () =>
  unavailable('chain_away', 'The Sui node did not respond, so nothing was checked. Please try again in a moment.');

async function findProvable({ db }: Services, session: SessionUser, ref: string): Promise<ProjectRow> {
  const project = await findProject(db, ref);
  const isOwn = project?.ownerId === session.userId;
  if (!project || (project.hiddenAt && !isOwn)) throw notFound('project_not_found', 'Project not found');
  requireMayProve(project, session);
  requireShown(project);
  if (project.coinType === null && project.packageId === null)
    throw conflict(
      'nothing_named',
      `The listing names neither a coin nor a package.${isOwn ? ' Add one with an update first.' : ''}`,
    );
  return project;
}

function requireShown({ hiddenAt }: Pick<ProjectRow, 'hiddenAt'>): void {
  if (hiddenAt) throw conflict('project_hidden', 'This project was hidden by the admin');
}

type Found = Pick<NewProof, 'subject' | 'control' | 'checkpoint'>;

/** Asks the chain now, after which checkpoint it is read. @throws 409, 503 */
async function askChain(services: Services, wallet: string, project: ProjectRow): Promise<Found> {
  const served = await servedChain(services);
  if (served.state !== 'ours') throw away();
  const read = Promise.all([findControl(services.sui, wallet, project), readVersions(services, project)]);
  const [control, canonical] = await read.catch((error: unknown) => {
    if (error instanceof TooManyObjectsError)
      throw conflict(
        'too_many_objects',
        'Your wallet holds more caps than can be looked through. Move the right one to another wallet, and list from there.',
      );
    services.log.warn({ err: error, projectId: project.id }, 'a proof of ownership could not be checked');
    throw away();
  });
  if (control === null)
    throw conflict('not_held', `Your wallet does not hold the ${neededObjects(project, 'nor')} at this moment.`);
  return { subject: canonical(control.subject), control, checkpoint: served.checkpoint };
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

async function lockUnchanged(trx: Db, project: ProjectRow, isClaim: boolean): Promise<void> {
  const { id, ...asked } = project;
  const now = await trx
    .selectFrom('projects')
    .select(['ownerId', 'coinType', 'packageId', 'coinSource', 'hiddenAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (isClaim) await requireStillUnclaimed(trx, id);
  const isSame =
    now !== undefined &&
    (['ownerId', 'coinType', 'packageId', 'coinSource'] as const).every((field) => now[field] === asked[field]);
  if (!isSame) throw conflict('listing_changed', 'The listing changed while the chain was asked. Please try again.');
  requireShown(now);
}

async function prove(trx: Db, project: ProjectRow, { userId, walletAddress: wallet }: SessionUser, found: Found) {
  const isClaim = project.ownerId !== userId;
  if (isClaim) await lockClaim(trx, project.id, userId);
  await lockUnchanged(trx, project, isClaim);
  const state = project.coinSource === 'lister' ? 'controls' : 'proven';
  const proof: NewProof = { projectId: project.id, state, wallet, ...found, reason: null };
  if (isClaim) await handOver(trx, project, userId);
  else if (await isKnown(trx, proof)) return;
  await storeProof(trx, proof);
}

/**
 * Proves that the session's wallet controls the coin or package of its listing (R71), or claims an unclaimed one (R72).
 * @throws 403, 404, 409, 429, 503
 */
export async function proveOwnership(
  services: Services,
  session: SessionUser,
  ref: string,
): Promise<Project['listing']> {
  const project = await findProvable(services, session, ref);
  const waitMs = tries.take(String(session.userId), 1);
  if (waitMs > 0) throw rateLimited(waitMs);
  const found = await askChain(services, session.walletAddress, project);
  await withOneProof(services.db.transaction().execute((trx) => prove(trx, project, session, found)));
  const after = await findProject(services.db, String(project.id));
  if (!after) throw notFound('project_not_found', 'Project not found');
  return listingOf(after);
}
