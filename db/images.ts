import { sql } from 'kysely';
import type { Db } from './client.ts';
import { type EncodedImage, encodeImage, encodeWidth, type ImageOptions } from './encode-image.ts';

/** Stores an encoded picture; the same bytes again only renew the time for which an unreferenced picture is kept. */
export async function insertImage(db: Db, image: EncodedImage): Promise<void> {
  await db
    .insertInto('images')
    .values(image.variants.map((variant) => ({ ...variant, hash: image.hash, contentType: 'image/webp' })))
    .onConflict((conflict) => conflict.columns(['hash', 'widthPx']).doUpdateSet({ createdAt: sql`now()` }))
    .execute();
}

/**
 * Encodes and stores a picture of ours in all its sizes; resolves to the hash under which it is found. What people send goes through
 * server/images/encoder.ts.
 * @throws UnreadableImageError as encodeImage does.
 */
export async function storeImage(db: Db, input: Buffer, options: ImageOptions = {}): Promise<{ hash: string }> {
  const image = await encodeImage(input, options);
  await insertImage(db, image);
  return { hash: image.hash };
}

/** The bytes of a picture in a width, 0 for the full size; null when there is no such picture. None is wider than the full size. */
export async function readImage(
  { db, replica }: { db: Db; replica: Db },
  hash: string,
  widthPx: number,
): Promise<Buffer | null> {
  const image = await replica
    .selectFrom('images')
    .select(['widthPx', 'bytes', 'width', 'height'])
    .where('hash', '=', hash)
    .where('widthPx', 'in', [widthPx, 0])
    .orderBy('widthPx', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!image) return null;
  if (image.widthPx === widthPx || image.width <= widthPx) return image.bytes;
  // A picture that is older than the width.
  const variant = await encodeWidth(image, widthPx);
  await insertImage(db, { hash, variants: [variant] });
  return variant.bytes;
}
