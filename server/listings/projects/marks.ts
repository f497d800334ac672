import { sql } from 'kysely';
import { isolated } from '#shared/text/isolated.ts';
import type { Db } from '#db/client.ts';
import { recordNotices } from '#server/books/notices.ts';
import { findLookAlikes, type LookAlike, lookAlikeColumns } from './look-alikes.ts';

/**
 * Marks of names that look like another listing's (R74). Of two such listings the one without the catalogue and without a proof that catalogue or
 * moderator support is marked; of two without either, the one that took its name later.
 */

const LOOK_HOURS = 72;

/** A mark that a moderator removed late adds its time to the listing. */
const addedTime = sql<Date>`expires_at + CASE WHEN now() - look_alike_since > make_interval(hours => ${LOOK_HOURS})
  THEN now() - look_alike_since ELSE interval '0' END`;

async function setMark(trx: Db, listing: LookAlike, other: LookAlike): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ lookAlikeOf: other.id, lookAlikeSince: sql<Date>`coalesce(look_alike_since, now())` })
    .where('id', '=', listing.id)
    .execute();
  if (listing.lookAlikeOf === other.id) return;
  await notify(
    trx,
    listing,
    `${isolated(listing.name)} is marked 'Looks like ${isolated(other.name)}'. Until a moderator has looked, its links, its X account and a description that leads away are not shown.`,
  );
}

/** `isOwnAct`: the owner gave the listing another name, which adds no time. */
export async function endMark(trx: Db, listing: LookAlike, isOwnAct = false): Promise<void> {
  if (listing.lookAlikeOf === null) return;
  await trx
    .updateTable('projects')
    .set({ lookAlikeOf: null, lookAlikeSince: null, ...(isOwnAct ? {} : { expiresAt: addedTime }) })
    .where('id', '=', listing.id)
    .execute();
  await notify(trx, listing, `${isolated(listing.name)} no longer shows 'Looks like …'.`);
}

const notify = (trx: Db, { ownerId, slug }: LookAlike, text: string) =>
  recordNotices(trx, { userId: ownerId, kind: 'name_review', text, link: `/projects/${encodeURIComponent(slug)}` });

export async function lockListing(trx: Db, id: number): Promise<LookAlike | undefined> {
  return trx
    .selectFrom('projects')
    .select(lookAlikeColumns)
    .where('projects.id', '=', id)
    .forUpdate('projects')
    .executeTakeFirst();
}

async function mark(trx: Db, listing: LookAlike, { isOwnAct = false, former = 0 } = {}): Promise<void> {
  const found = await findLookAlikes(trx, listing.name, listing.id);
  const others = found.filter(({ lookAlikeOf }) => lookAlikeOf !== former);
  const [first] = others;
  if (first && !listing.isBacked) return setMark(trx, listing, first);
  await endMark(trx, listing, isOwnAct);
  for (const other of others)
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    if (!other.isBacked && other.lookAlikeOf === null) await setMark(trx, other, listing);
}

/** Call after a listing took a name, under `lockNames`. */
export async function markName(trx: Db, id: number): Promise<void> {
  const listing = await lockListing(trx, id);
  if (listing) await mark(trx, listing, { isOwnAct: true });
}

/** Call after a proof: the mark goes to the other listing if that has none. */
export async function moveMark(trx: Db, id: number): Promise<void> {
  const listing = await lockListing(trx, id);
  if (listing?.isBacked && listing.lookAlikeOf !== null) await mark(trx, listing);
}

/** After a listing was hidden or took another name: of listings that looked like it the first one loses its mark, unless it looks like yet another one. */
export async function remark(trx: Db, id: number): Promise<void> {
  const marked = await trx
    .selectFrom('projects')
    .select(lookAlikeColumns)
    .where('lookAlikeOf', '=', id)
    .orderBy('projects.id')
    .forUpdate('projects')
    .execute();
  // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
  for (const listing of marked) await mark(trx, listing, { former: id });
}
