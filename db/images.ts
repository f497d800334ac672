import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './client.ts';
import { type EncodedImage, encodeImage, encodeWidth, type ImageOptions } from './encode-image.ts';

export const uploadDigest = (bytes: Uint8Array, { square = false }: ImageOptions): Buffer =>
  createHash('sha256')
    .update(square ? 'square' : 'whole')
    .update(bytes)
    .digest();

/** Storing the same bytes again only renews the time for which an unreferenced picture is kept. */
export async function insertImage(db: Db, image: EncodedImage, upload: Buffer | null = null): Promise<void> {
  const rows = image.variants.map((variant) => ({
    ...variant,
    hash: image.hash,
    contentType: 'image/webp',
    uploadDigest: variant.widthPx === 0 ? upload : null,
  }));
  await db
    .insertInto('images')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['hash', 'widthPx']).doUpdateSet({
        createdAt: sql`now()`,
        uploadDigest: sql`coalesce(excluded.upload_digest, images.upload_digest)`,
      }),
    )
    .execute();
}

/** The hash of the picture stored for this upload, whose time is renewed; null when unknown. */
export async function renewImage(db: Db, upload: Buffer): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    UPDATE images SET created_at = now() WHERE hash = (SELECT hash FROM images WHERE upload_digest = ${upload} LIMIT 1)
    RETURNING hash`.execute(db);
  return rows[0]?.hash ?? null;
}

export async function storeImage(db: Db, input: Buffer, options: ImageOptions = {}): Promise<{ hash: string }> {
  const image = await encodeImage(input, options);
  await insertImage(db, image);
  return { hash: image.hash };
}

export async function hasImage(db: Db, hash: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM images WHERE hash = ${hash} LIMIT 1`.execute(db);
  return rows.length > 0;
}

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
  const variant = await encodeWidth(image, widthPx);
  await insertImage(db, { hash, variants: [variant] });
  return variant.bytes;
}
