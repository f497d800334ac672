import { findControl, TooManyObjectsError } from '#chain/ownership.ts';
import type { Db } from '#db/client.ts';
import { neededObjects } from '#shared/listings/ownership.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import { conflict, unavailable } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import type { ProjectRow } from '../projects/queries.ts';
import { requireStillUnclaimed } from './claim.ts';
import { readVersions } from './packages.ts';
import type { NewProof } from './store.ts';

const away = () =>
  unavailable('chain_away', 'The Sui node did not respond, so nothing was checked. Please try again in a moment.');

export function requireShown({ hiddenAt }: Pick<ProjectRow, 'hiddenAt'>): void {
  if (hiddenAt) throw conflict('project_hidden', 'This project was hidden by the admin');
}

export type Found = Pick<NewProof, 'subject' | 'control' | 'checkpoint'>;

/** Asks the chain now; `checkpoint` is the newest one before the read. @throws 409, 503 */
export async function askChain(
  services: Services,
  wallet: string,
  project: ProjectRow,
  who = 'Your wallet',
): Promise<Found> {
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
    throw conflict('not_held', `${who} does not hold the ${neededObjects(project, 'nor')} at this moment.`);
  return { subject: canonical(control.subject), control, checkpoint: served.checkpoint };
}

/** @throws 409 */
export async function lockUnchanged(trx: Db, project: ProjectRow, isClaim: boolean): Promise<void> {
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
