import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import { cursorsOf, mapPage, type Page, type PageQuery, toFetch, toPage } from '#server/kit/http/pages.ts';
import { imageUrl } from '#server/kit/image-url.ts';

export async function listVersions(
  db: Db,
  project: { id: number; listingVersion: number },
  page: PageQuery,
): Promise<Page<ListingVersion>> {
  const cursors = cursorsOf(`versions:${project.id}`, z.int().positive());
  const before = cursors.read(page);
  const rows = await db
    .selectFrom('listingVersions')
    .selectAll()
    .where('projectId', '=', project.id)
    .$if(before !== null, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(toFetch(page))
    .execute();
  const found = toPage(rows, page, ({ number }) => cursors.write(number), project.listingVersion);
  return mapPage(found, ({ createdAt, imageHash, salt, hash, blankedAt, sameAt, apartAt, ...row }) => ({
    number: row.number,
    identity: row.identity,
    createdAt: createdAt.toISOString(),
    name: row.name,
    imageUrl: imageHash && imageUrl(imageHash),
    twitterHandle: row.twitterHandle,
    website: row.website,
    category: row.category,
    description: row.description,
    isBlanked: blankedAt !== null,
    isSameProject: sameAt !== null,
    blankedAt: blankedAt?.toISOString() ?? null,
    sameAt: sameAt?.toISOString() ?? null,
    apartAt: apartAt?.toISOString() ?? null,
    salt: salt && toBase64Url(salt),
    hash: toBase64Url(hash),
  }));
}
