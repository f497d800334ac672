import type { Db } from '#db/client.ts';
import type { ownership } from '#shared/contract/index.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { readProjectText } from '#shared/project-fields.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { conflict, invalidField, notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';
import { storeProof, withOneProof } from './store.ts';

async function lockListing(trx: Db, id: number) {
  const project = await trx
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['projects.id', 'name', 'slug', 'ownerId', 'walletAddress', 'coinType', 'coinMinimum', 'packageId'])
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
    text: `${text} for ${project.name}: ${reason}`,
    link: `/projects/${encodeURIComponent(project.slug)}`,
  });
  const detail = `${text} for project ${project.id} (${project.name}). Reason: ${withoutWallets(reason)}`;
  await writeAudit(trx, who, { action, detail, outcome: 'ok' });
}

function read(field: 'coinType' | 'packageId', sent: string | null): string | null {
  const { stored, error } = readProjectText(field, sent ?? '');
  if (error !== null) throw invalidField(field, error);
  return stored === '' ? null : stored;
}

/** Proofs for the new coin and package prove ownership; others are lost (db/functions/follow_ownership.sql). @throws 400, 404, 409 */
export async function setCoin(
  { db }: Services,
  who: Actor,
  id: number,
  sent: BodyOf<typeof ownership.setCoin>,
): Promise<void> {
  const reason = readReason(sent.reason);
  const coin = { coinType: read('coinType', sent.coinType), packageId: read('packageId', sent.packageId) };
  await withOneProof(
    db.transaction().execute(async (trx) => {
      const project = await lockListing(trx, id);
      const isSame = project.coinType === coin.coinType;
      await trx
        .updateTable('projects')
        .set({ ...coin, coinMinimum: sent.coinMinimum ?? (isSame ? project.coinMinimum : 1), coinSource: 'moderator' })
        .where('id', '=', id)
        .execute();
      const text = coin.coinType ?? coin.packageId ?? 'nothing';
      await report(trx, who, project, { action: 'project.coin', text: `A moderator set the coin (${text})`, reason });
    }),
  );
}

export async function acceptOwnership({ db }: Services, who: Actor, id: number, sent: string): Promise<void> {
  const reason = readReason(sent);
  await withOneProof(
    db.transaction().execute(async (trx) => {
      const project = await lockListing(trx, id);
      const subject = project.coinType ?? project.packageId;
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
