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

/** Makes and stores a width that a picture lacks because it is older than the width; null when there is no such picture. */
export async function addWidth(db: Db, hash: string, widthPx: number): Promise<Buffer | null> {
  const full = await db
    .selectFrom('images')
    .select(['bytes', 'width', 'height'])
    .where('hash', '=', hash)
    .where('widthPx', '=', 0)
    .executeTakeFirst();
  if (!full) return null;
  const variant = await encodeWidth({ ...full, widthPx: 0 }, widthPx);
  await insertImage(db, { hash, variants: [variant] });
  return variant.bytes;
}
