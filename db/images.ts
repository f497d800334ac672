import { sql } from 'kysely';
import type { Db } from './client.ts';
import { type EncodedImage, encodeImage, encodeWidth, type ImageOptions } from './encode-image.ts';

/**
 * Stores an encoded picture. Storing the same bytes again only renews the time for which an unreferenced picture is
 * kept.
 */
export async function insertImage(db: Db, image: EncodedImage): Promise<void> {
  await db
    .insertInto('images')
    .values(image.variants.map((variant) => ({ ...variant, hash: image.hash, contentType: 'image/webp' })))
    .onConflict((conflict) => conflict.columns(['hash', 'widthPx']).doUpdateSet({ createdAt: sql`now()` }))
    .execute();
}

/**
 * Encodes and stores one of our own pictures in all sizes; resolves to its hash. Uploads go through
 * server/images/encoder.ts.
 * @throws UnreadableImageError as encodeImage does.
 */
export async function storeImage(db: Db, input: Buffer, options: ImageOptions = {}): Promise<{ hash: string }> {
  const image = await encodeImage(input, options);
  await insertImage(db, image);
  return { hash: image.hash };
}

/**
 * The bytes of a picture in a width, 0 for the full size; null when no such picture exists. None is wider than the full
 * size.
 */
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
  // A picture that was stored before the width was added.
  const variant = await encodeWidth(image, widthPx);
  await insertImage(db, { hash, variants: [variant] });
  return variant.bytes;
}
