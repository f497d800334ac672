import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { VersionAct } from '#shared/contract/versions.ts';
import { type Actor, writeAudit } from '../admin/audit.ts';
import { conflict, notFound } from '../http/errors.ts';
import { readReason } from '../http/reason.ts';
import { deletePictureAtOnce } from '../images/unused.ts';
import { recordNotices } from '../notices/record.ts';
import type { Services } from '../services.ts';

interface Version {
  projectId: number;
  number: number;
  identity: number;
  imageHash: string | null;
  /** Whether it is the first version of its identity, and not of the listing. */
  isChange: boolean;
}

/**
 * Confirms that the project with this identity is the previous one: its votes count as votes on this one from now on
 * (R60), and the public record says so. It cannot be taken back.
 */
async function confirmSame(trx: Db, { projectId, number, identity, isChange }: Version): Promise<void> {
  if (!isChange)
    throw conflict(
      'same_identity',
      'This version changed neither name, picture, X account nor website. Nothing to confirm.',
    );
  const version = trx
    .updateTable('listingVersions')
    .set({ sameAt: sql<Date>`coalesce(same_at, clock_timestamp())` })
    .where('projectId', '=', projectId);
  await version.where('number', '=', number).execute();
  await trx.deleteFrom('identityChanges').where('projectId', '=', projectId).where('identity', '=', identity).execute();
}

/** Deletes the content of an earlier version for good; its hash stays. */
async function blank(trx: Db, { projectId, number, imageHash }: Version, newest: number): Promise<void> {
  if (number === newest)
    throw conflict(
      'newest_version',
      'This version is what the listing shows now. Have the listing changed first, or hide it.',
    );
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
    .set({ ...content, salt: null, blankedAt: sql<Date>`coalesce(blanked_at, now())` })
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .execute();
  // The next version names the one before it.
  await trx
    .updateTable('identityChanges')
    .set({ oldName: null })
    .where('projectId', '=', projectId)
    .where('number', '=', number + 1)
    .execute();
  if (imageHash !== null) await deletePictureAtOnce(trx, imageHash);
}

const DONE: Record<VersionAct, { audit: string; text: string }> = {
  same_project: { audit: 'version.same_project', text: 'was confirmed as the same project' },
  blank: { audit: 'version.blank', text: 'was blanked' },
};

/** A moderator's act on a version; its owner reads the reason. Repeating it changes nothing. @throws 404, 409 */
export async function moderateVersion(
  { db }: Services,
  who: Actor,
  { id, number }: { id: number; number: number },
  { act, reason: sent }: { act: VersionAct; reason: string },
): Promise<void> {
  const reason = readReason(sent);
  await db.transaction().execute(async (trx) => {
    // An update of the listing, which writes versions, waits.
    const project = await trx
      .selectFrom('projects')
      .select(['name', 'slug', 'ownerId', 'version'])
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
    if (act === 'blank') await blank(trx, { ...version, isChange }, project.version);
    else await confirmSame(trx, { ...version, isChange });
    const { audit, text } = DONE[act];
    await recordNotices(trx, {
      userId: project.ownerId,
      kind: 'listing_changed',
      text: `Version ${number} of ${project.name} ${text}: ${reason}`,
      link: `/projects/${encodeURIComponent(project.slug)}`,
    });
    await writeAudit(trx, who, {
      action: audit,
      detail: `Version ${number} of project ${id} (${project.name}). Reason: ${reason}`,
      outcome: 'ok',
    });
  });
}
