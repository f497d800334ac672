import { sql } from 'kysely';
import type { Db } from './client.ts';
import { type EncodedImage, encodeImage, encodeWidth, type ImageOptions, pictureHash } from './encode-image.ts';

export interface Upload extends ImageOptions {
  hash: string;
}

/** Storing the same bytes again only renews the time for which an unreferenced picture is kept. */
export async function insertImage(db: Db, image: EncodedImage, upload: Upload | null = null): Promise<void> {
  const rows = image.variants.map((variant) => ({
    ...variant,
    hash: image.hash,
    contentType: 'image/webp',
    uploadHash: variant.widthPx === 0 && upload ? upload.hash : null,
    isSquare: upload?.square ?? false,
  }));
  await db
    .insertInto('images')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['hash', 'widthPx']).doUpdateSet({
        createdAt: sql`now()`,
        uploadHash: sql`coalesce(excluded.upload_hash, images.upload_hash)`,
        isSquare: sql`CASE WHEN excluded.upload_hash IS NULL THEN images.is_square ELSE excluded.is_square END`,
      }),
    )
    .execute();
}

/** The hash of the picture stored for this upload, whose time is renewed; null when unknown. */
export async function renewImage(db: Db, { hash, square = false }: Upload): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    UPDATE images SET created_at = now()
    WHERE hash = (SELECT hash FROM images WHERE upload_hash = ${hash} AND is_square = ${square} LIMIT 1)
    RETURNING hash`.execute(db);
  return rows[0]?.hash ?? null;
}

export async function findBlanked(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blankedPictures')
    .select('hash')
    .where('hash', 'in', ['', ...hashes])
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

/** Deletes the picture and all made from the same upload. From then on all of their bytes are refused, wherever they are used (R86). */
export async function blankPicture(trx: Db, picture: string): Promise<void> {
  const hashes = new Set([picture]);
  let found = [picture];
  while (found.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- a stored size may itself have been uploaded again
    const { rows } = await sql<{ hash: string; bytes: Buffer; uploadHash: string | null }>`
      DELETE FROM images WHERE hash IN (SELECT i.hash FROM images i WHERE i.hash = ANY(${found}) OR i.upload_hash = ANY(${found}))
      RETURNING hash, bytes, upload_hash AS "uploadHash"`.execute(trx);
    found = rows
      .flatMap(({ hash, bytes, uploadHash }) => [hash, pictureHash(bytes), uploadHash ?? hash])
      .filter((hash) => !hashes.has(hash));
    for (const hash of found) hashes.add(hash);
  }
  await trx
    .insertInto('blankedPictures')
    .values([...hashes].map((hash) => ({ hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function storeImage(db: Db, input: Buffer, options: ImageOptions = {}): Promise<{ hash: string }> {
  const image = await encodeImage(input, options);
  await insertImage(db, image);
  return { hash: image.hash };
}

const notBlanked = sql<boolean>`NOT EXISTS (SELECT FROM blanked_pictures b WHERE b.hash = images.hash)`;
const isPublic = sql<boolean>`EXISTS (SELECT FROM listing_versions v WHERE v.image_hash = images.hash)
  OR EXISTS (SELECT FROM users u WHERE u.avatar_hash = images.hash)`;

/** True once something public shows the picture (R86). */
interface StoredImage {
  isPublic: boolean;
}

export async function findImage(db: Db, hash: string): Promise<StoredImage | null> {
  const image = await db
    .selectFrom('images')
    .select(isPublic.as('isPublic'))
    .where('hash', '=', hash)
    .where(notBlanked)
    .limit(1)
    .executeTakeFirst();
  return image ?? null;
}

export async function readImage(
  { db, replica }: { db: Db; replica: Db },
  hash: string,
  widthPx: number,
): Promise<(StoredImage & { bytes: Buffer }) | null> {
  const image = await replica
    .selectFrom('images')
    .select(['widthPx', 'bytes', 'width', 'height', isPublic.as('isPublic')])
    .where('hash', '=', hash)
    .where('widthPx', 'in', [widthPx, 0])
    .where(notBlanked)
    .orderBy('widthPx', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!image || image.widthPx === widthPx || image.width <= widthPx) return image ?? null;
  const variant = await encodeWidth(image, widthPx);
  await insertImage(db, { hash, variants: [variant] });
  return { isPublic: image.isPublic, bytes: variant.bytes };
}
