import { isolated } from '#shared/text/isolated.ts';
import type { Db } from '#db/client.ts';
import type { ownership } from '#shared/contract/index.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { readProjectText } from '#shared/listings/project-fields.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { conflict, invalidField, notFound, unavailable } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';
import { learnVersions, type Named, readVersions } from './packages.ts';
import { moveMark } from '../projects/marks.ts';
import { storeProof, withOneProof } from './store.ts';

async function lockListing(trx: Db, id: number) {
  const project = await trx
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['projects.id', 'name', 'slug', 'ownerId', 'walletAddress', 'coinType', 'packageId'])
    .where('projects.id', '=', id)
    .forUpdate('projects')
    .executeTakeFirst();
  if (!project) throw notFound('project_not_found', 'Project not found');
  return project;
}

type Listing = Awaited<ReturnType<typeof lockListing>>;

async function report(trx: Db, who: Actor, project: Listing, act: { action: string; text: string; reason: string }) {
  const { action, text, reason } = act;
  await recordNotices(trx, {
    userId: project.ownerId,
    kind: 'listing_changed',
    text: `${text} for ${isolated(project.name)}: ${reason}`,
    link: `/projects/${encodeURIComponent(project.slug)}`,
  });
  const detail = `${text} for project ${project.id} (${isolated(project.name)}). Reason: ${withoutWallets(reason)}`;
  await writeAudit(trx, who, { action, detail, outcome: 'ok' });
}

function read(field: 'coinType' | 'packageId', sent: string | null): string | null {
  const { stored, error } = readProjectText(field, sent ?? '');
  if (error !== null) throw invalidField(field, error);
  return stored === '' ? null : stored;
}

/** Proofs for the new coin and package prove ownership; others are lost (db/functions/follow_ownership.sql). @throws 400, 404, 409 */
export async function setCoin(
  services: Services,
  who: Actor,
  id: number,
  sent: BodyOf<typeof ownership.setCoin>,
): Promise<void> {
  const reason = readReason(sent.reason);
  const coin = { coinType: read('coinType', sent.coinType), packageId: read('packageId', sent.packageId) };
  await learnVersions(services, coin);
  await withOneProof(
    services.db.transaction().execute(async (trx) => {
      const project = await lockListing(trx, id);
      await trx
        .updateTable('projects')
        .set({ ...coin, coinSource: 'moderator' })
        .where('id', '=', id)
        .execute();
      await moveMark(trx, id);
      const text = coin.coinType ?? coin.packageId ?? 'nothing';
      await report(trx, who, project, { action: 'project.coin', text: `A moderator set the coin (${text})`, reason });
    }),
  );
}

const subjectOf = ({ coinType, packageId }: Named): string | null => coinType ?? packageId;

async function readSubject(services: Services, id: number): Promise<{ named: string | null; subject: string | null }> {
  const project = await services.db
    .selectFrom('projects')
    .select(['coinType', 'packageId'])
    .where('id', '=', id)
    .executeTakeFirst();
  const named = project ? subjectOf(project) : null;
  if (!project || named === null) return { named, subject: null };
  const canonical = await readVersions(services, project).catch((error: unknown) => {
    services.log.warn({ err: error, projectId: id }, 'the first version of a package could not be read');
    throw unavailable(
      'chain_away',
      'The Sui node did not respond, so nothing was accepted. Please try again in a moment.',
    );
  });
  return { named, subject: canonical(named) };
}

/** @throws 400, 404, 409, 503 */
export async function acceptOwnership(services: Services, who: Actor, id: number, sent: string): Promise<void> {
  const reason = readReason(sent);
  const { named, subject } = await readSubject(services, id);
  await withOneProof(
    services.db.transaction().execute(async (trx) => {
      const project = await lockListing(trx, id);
      if (subjectOf(project) !== named)
        throw conflict('listing_changed', 'The listing changed a moment ago. Please look at it again.');
      if (subject === null)
        throw conflict('nothing_named', 'The listing names neither a coin nor a package. Set one first.');
      await storeProof(trx, {
        projectId: id,
        state: 'accepted',
        subject,
        wallet: project.walletAddress,
        control: null,
        checkpoint: null,
        reason: withoutWallets(reason),
      });
      await report(trx, who, project, { action: 'project.owner', text: 'The admin accepted the ownership', reason });
    }),
  );
}
