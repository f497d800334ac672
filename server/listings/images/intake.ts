import type { Kysely } from 'kysely';
import { bytesOf, type EncodedImage, pictureHash, TooManyPixelsError, UnreadableImageError } from '#db/encode-image.ts';
import { findBlanked, insertImage, renewImage, type Upload } from '#db/images.ts';
import type { DB } from '#db/schema.ts';
import { type Allowance, useAllowance, useUpAllowance, waitForAllowance } from '#db/user-allowances.ts';
import { withUserLock } from '#db/user-lock.ts';
import {
  AVIF_MAX_MEGAPIXELS,
  IMAGE_MAX_BYTES,
  IMAGE_MAX_MEGAPIXELS,
  PICTURE_BYTES_PER_HOUR,
  PICTURE_UPLOADS_PER_HOUR,
} from '#shared/constants.ts';
import { imageKind } from '#shared/listings/image-kind.ts';
import { plural } from '#shared/numbers/plural.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import { readDataUrl } from './data-url.ts';
import { encoder } from './encoder.ts';

const TOO_MANY_PIXELS = `The image has too many pixels. The limit is ${IMAGE_MAX_MEGAPIXELS} megapixels, for AVIF ${AVIF_MAX_MEGAPIXELS}.`;

const BLANKED = 'This picture was removed by a moderator and cannot be used. Please choose another one.';

const UPLOADS: Allowance = { kind: 'uploads', most: PICTURE_UPLOADS_PER_HOUR, seconds: 3_600 };
const NEW_BYTES: Allowance = { kind: 'pictures', most: PICTURE_BYTES_PER_HOUR, seconds: 3_600 };

interface IntakeOptions {
  userId: number | null;
  square?: boolean;
  field?: string;
}

/**
 * Stores a user's picture: a data URL of at most 10 MB, checked by its bytes, re-encoded without metadata, named by its hash (R25).
 * Decoding costs a processor and pictures are stored before a payment, so each user has an allowance of uploads and one of bytes.
 * @throws HttpError with the field: 400 unreadable or blanked, 413 too large or too many pixels, 415 unsupported, 429 too many in an hour
 */
export async function acceptImage(db: Kysely<DB>, dataUrl: string, options: IntakeOptions): Promise<{ hash: string }> {
  const field = options.field ?? 'imageUrl';
  const refuse = (status: number, code: string, message: string) =>
    new HttpError(status, code, message, { extra: { field } });
  const bytes = readDataUrl(dataUrl);
  if (bytes === null) throw refuse(400, 'invalid_image', 'Please choose the image file again');
  if (bytes.length > IMAGE_MAX_BYTES)
    throw refuse(413, 'image_too_large', `Images can be at most ${IMAGE_MAX_BYTES / 1024 / 1024} MB`);
  if (bytes.length === 0) throw refuse(400, 'invalid_image', 'The image file is empty');
  if (!imageKind(bytes)) throw refuse(415, 'unsupported_image', 'Please use a PNG, JPEG, WebP, GIF or AVIF image');
  const { userId, square = false } = options;
  if (userId !== null) await useUpload(db, userId, field);
  const upload = { hash: pictureHash(bytes), square };
  const refuseBlanked = async (hashes: string[]) => {
    if ((await findBlanked(db, hashes)).size > 0) throw refuse(400, 'blanked_image', BLANKED);
  };
  const known = await renewImage(db, upload);
  await refuseBlanked([upload.hash, known ?? upload.hash]);
  if (known !== null) return { hash: known };
  if (userId !== null) await checkAllowance(db, userId, NEW_BYTES, field);
  try {
    const image = await encoder.encode(bytes, { square }, userId);
    await refuseBlanked([image.hash]);
    if (userId === null) await insertImage(db, image, upload);
    // oxlint-disable-next-line no-await-in-loop -- a second time only where a new hour has begun since
    else while (!(await insertAllowed(db, userId, image, upload))) await checkAllowance(db, userId, NEW_BYTES, field);
    return { hash: image.hash };
  } catch (error) {
    if (error instanceof TooManyPixelsError) throw refuse(413, 'too_many_pixels', TOO_MANY_PIXELS);
    if (!(error instanceof UnreadableImageError)) throw error;
    throw refuse(400, 'invalid_image', 'This image cannot be read. Please try another file.');
  }
}

/** Returns false, and uses up the rest, when too little is left. */
const insertAllowed = (db: Kysely<DB>, userId: number, image: EncodedImage, upload: Upload): Promise<boolean> =>
  withUserLock(db, userId, async (trx) => {
    const known = await trx
      .selectFrom('images')
      .select('hash')
      .where('hash', '=', image.hash)
      .limit(1)
      .executeTakeFirst();
    if (!known && !(await useAllowance(trx, userId, NEW_BYTES, bytesOf(image)))) {
      // Otherwise pictures that do not fit into the rest would be encoded one after the other.
      await useUpAllowance(trx, userId, NEW_BYTES);
      return false;
    }
    await insertImage(trx, image, upload);
    return true;
  });

async function useUpload(db: Kysely<DB>, userId: number, field: string): Promise<void> {
  const use = () => withUserLock(db, userId, (trx) => useAllowance(trx, userId, UPLOADS, 1));
  // oxlint-disable-next-line no-await-in-loop -- a second time only where a new hour has begun since
  while (!(await use())) await checkAllowance(db, userId, UPLOADS, field);
}

async function checkAllowance(db: Kysely<DB>, userId: number, allowance: Allowance, field: string): Promise<void> {
  const waitS = await waitForAllowance(db, userId, allowance);
  if (waitS === 0) return;
  const message = `You have uploaded several pictures within the last hour. Try again in ${plural(Math.ceil(waitS / 60), 'minute')}.`;
  throw new HttpError(429, 'too_many_pictures', message, { retryAfterS: waitS, extra: { field } });
}
