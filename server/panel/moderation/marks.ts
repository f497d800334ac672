import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { MarkedListing } from '#shared/contract/marks.ts';
import type { ListingFee } from '#shared/contract/standing.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import { publicWallet } from '#server/kit/public-user.ts';
import type { Services } from '#server/kit/services.ts';
import { listingFee } from '#server/listings/projects/listing-fee.ts';
import { areClose, findCloseNames } from '#server/listings/projects/look-alikes.ts';
import { endMark, lockListing } from '#server/listings/projects/marks.ts';
import { projectRows, type ProjectRow } from '#server/listings/projects/queries.ts';

const fee = listingFee(sql.ref('projects.id'));

/** True while a look-alike waits for a moderator; a hidden one stays until its fee is refunded. */
export const isMarked = sql<boolean>`(projects.look_alike_of IS NOT NULL
  AND (projects.hidden_at IS NULL OR (${fee}) ->> 'refundedMist' IS NULL AND ${fee} IS NOT NULL))`;

const shown = (row: ProjectRow) => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  category: row.category,
  description: row.description,
  imageUrl: imageUrl(row.imageHash),
  twitterHandle: row.twitterHandle,
  website: row.website,
  owner: publicWallet(row.submittedBy),
  listedAt: row.createdAt.toISOString(),
});

const MOST_OTHERS = 1_000;

export async function listMarkedRows(db: Db, page: PageQuery) {
  const rows = projectRows(db)
    .select(['projects.lookAlikeKeys', 'projects.lookAlikeSince'])
    .select(sql<ListingFee | null>`${fee}`.as('fee'))
    .where(isMarked);
  return listById(db, { name: 'marked', page, rows, id: 'projects.id', isOldestFirst: true });
}

export async function listMarked(db: Db, page: PageQuery): Promise<Page<MarkedListing>> {
  const found = await listMarkedRows(db, page);
  const keys = found.rows.flatMap(({ lookAlikeKeys }) => lookAlikeKeys ?? []);
  const close = await findCloseNames(db, keys);
  const others = await projectRows(db)
    .select('projects.lookAlikeKeys')
    .where('projects.hiddenAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('projects.id', 'in', [0, ...close]),
        eb('projects.lookAlikeKeys', '&&', sql<string[]>`${keys}::text[]`),
      ]),
    )
    .orderBy('projects.id')
    .limit(MOST_OTHERS)
    .execute();
  return mapPage(found, (row) => {
    const own = row.lookAlikeKeys ?? [];
    const rest = others.filter(({ id }) => id !== row.id);
    const sharesKey = (other: (typeof rest)[number]) => other.lookAlikeKeys?.some((key) => own.includes(key)) ?? false;
    const isClose = (other: (typeof rest)[number]) => !sharesKey(other) && areClose(own, other.lookAlikeKeys ?? []);
    return {
      ...shown(row),
      markedAt: (row.lookAlikeSince ?? row.createdAt).toISOString(),
      isHidden: row.hiddenAt !== null,
      fee: row.fee,
      others: [
        ...rest.filter(sharesKey).map((other) => ({ ...shown(other), isClose: false })),
        ...rest.filter(isClose).map((other) => ({ ...shown(other), isClose: true })),
      ],
    };
  });
}

/** @throws 404, 409 */
export async function clearMark({ db }: Services, who: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const listing = await lockListing(trx, id);
    if (!listing) throw notFound('project_not_found', 'Project not found');
    if (listing.lookAlikeOf === null) throw conflict('not_marked', 'This listing is not marked');
    await endMark(trx, listing);
    const detail = `Project ${id} (${isolated(listing.name)}): the name may be used`;
    await writeAudit(trx, who, { action: 'project.clear_mark', detail, outcome: 'ok' });
  });
}
