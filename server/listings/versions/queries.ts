import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import { cursorsOf, mapPage, type Page, type PageQuery, toFetch, toPage } from '#server/kit/http/pages.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import { shownTexts } from '../projects/withheld.ts';

type Texts = Record<'description' | 'twitterHandle' | 'website', string | null>;
const shownVersion = ({ description, twitterHandle, website }: Texts, lookAlike: object | null): Texts =>
  description === null || twitterHandle === null
    ? { description, twitterHandle, website }
    : shownTexts({ description, twitterHandle, website, lookAlike });

export async function listVersions(
  db: Db,
  project: { id: number; listingVersion: number; lookAlike: object | null },
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
    category: row.category,
    ...shownVersion(row, project.lookAlike),
    isBlanked: blankedAt !== null,
    isSameProject: sameAt !== null,
    blankedAt: blankedAt?.toISOString() ?? null,
    sameAt: sameAt?.toISOString() ?? null,
    apartAt: apartAt?.toISOString() ?? null,
    // The hash cannot be compared while texts are withheld.
    salt: project.lookAlike ? null : salt && toBase64Url(salt),
    hash: toBase64Url(hash),
  }));
}
