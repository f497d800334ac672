import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { Db } from '#db/client.ts';
import { blankPicture, storeImage } from '#db/images.ts';
import type { VersionAct } from '#shared/contract/versions.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';

interface Version {
  projectId: number;
  number: number;
  identity: number;
  imageHash: string | null;
  isChange: boolean;
}

/**
 * Confirms that the identity is the previous project (R60), so that earlier votes count again, or takes that back. The
 * public record names both.
 */
async function setSame(trx: Db, { projectId, number, identity, isChange }: Version, isSame: boolean): Promise<void> {
  if (!isChange)
    throw conflict(
      'same_identity',
      'This version changed neither name, picture, X account nor website. Nothing to confirm.',
    );
  const changed = await trx
    .updateTable('identityChanges')
    .set({ isSame })
    .where('projectId', '=', projectId)
    .where('identity', '=', identity)
    .where('isSame', '=', !isSame)
    .returning('identity')
    .execute();
  if (changed.length === 0) return;
  const now = sql<Date>`vote_time()`;
  await trx
    .updateTable('listingVersions')
    .set(isSame ? { sameAt: now, apartAt: null } : { sameAt: null, apartAt: now })
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .execute();
}

async function storeEmptyPicture(trx: Db): Promise<string> {
  const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#20364f' } })
    .png()
    .toBuffer();
  return (await storeImage(trx, picture)).hash;
}

/** An empty version follows, so that the hidden listing shows nothing of the blanked one. */
async function emptyListing(trx: Db, projectId: number, imageHash: string): Promise<void> {
  const texts = { name: 'Removed', description: 'Removed by a moderator', twitterHandle: 'removed', website: null };
  await trx
    .updateTable('projects')
    .set({ ...texts, imageHash })
    .where('id', '=', projectId)
    .execute();
}

/** Deletes the content of a version for good; its hash stays, and its picture is refused everywhere. @throws 409 for the newest version of a shown listing */
async function blank(trx: Db, version: Version, project: { version: number; hiddenAt: Date | null }): Promise<void> {
  const { projectId, number, imageHash } = version;
  const emptyPicture = await storeEmptyPicture(trx);
  if (number === project.version) {
    if (project.hiddenAt === null)
      throw conflict('newest_version', 'This version is what the listing shows now. Hide the listing first.');
    await emptyListing(trx, projectId, emptyPicture);
  }
  const content = {
    name: null,
    imageHash: null,
    twitterHandle: null,
    website: null,
    category: null,
    description: null,
  };
  await trx
    .updateTable('listingVersions')
    .set({ ...content, salt: null, blankedAt: sql<Date>`coalesce(blanked_at, vote_time())` })
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .execute();
  await trx
    .updateTable('identityChanges')
    .set({ oldName: null })
    .where('projectId', '=', projectId)
    .where('number', '=', number + 1)
    .execute();
  if (imageHash !== null && imageHash !== emptyPicture) await blankPicture(trx, imageHash);
}

const DONE: Record<VersionAct, { audit: string; text: string }> = {
  same_project: { audit: 'version.same_project', text: 'was confirmed as the same project' },
  other_project: { audit: 'version.other_project', text: 'is no longer confirmed as the same project' },
  blank: { audit: 'version.blank', text: 'was blanked' },
};

/** The owner reads the reason. Repeating it changes nothing. @throws 404, 409 */
export async function moderateVersion(
  { db }: Services,
  who: Actor,
  { id, number }: { id: number; number: number },
  { act, reason: sent }: { act: VersionAct; reason: string },
): Promise<void> {
  const reason = readReason(sent);
  await db.transaction().execute(async (trx) => {
    // Updates of the listing wait.
    const project = await trx
      .selectFrom('projects')
      .select(['name', 'slug', 'ownerId', 'version', 'hiddenAt'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const rows = await trx
      .selectFrom('listingVersions')
      .select(['projectId', 'number', 'identity', 'imageHash'])
      .where('projectId', '=', id)
      .where('number', 'in', [number, number - 1])
      .orderBy('number', 'desc')
      .execute();
    const [version, before] = rows;
    if (!project || version?.number !== number) throw notFound('version_not_found', 'There is no such version');
    const isChange = before !== undefined && before.identity < version.identity;
    if (act === 'blank') await blank(trx, { ...version, isChange }, project);
    else await setSame(trx, { ...version, isChange }, act === 'same_project');
    const { audit, text } = DONE[act];
    await recordNotices(trx, {
      userId: project.ownerId,
      kind: 'listing_changed',
      text: `Version ${number} of ${isolated(project.name)} ${text}: ${reason}`,
      link: `/projects/${encodeURIComponent(project.slug)}`,
    });
    await writeAudit(trx, who, {
      action: audit,
      detail: `Version ${number} of project ${id} (${isolated(project.name)}). Reason: ${reason}`,
      outcome: 'ok',
    });
  });
}
