import type { RowReport } from '#shared/contract/catalogue.ts';
import { isPicture } from '../../../lib/image-file.ts';
import { type PictureArchive, UnusablePictureError } from './archive.ts';

export interface CheckedPicture {
  /** Empty where the picture cannot be used. */
  digest: string;
  errors: RowReport['errors'];
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const failed = (message: string): CheckedPicture => ({ digest: '', errors: [{ field: 'picture', message }] });

/** @throws UnreadableFileError when the archive can no longer be read */
export async function checkPicture(archive: PictureArchive, name: string): Promise<CheckedPicture> {
  if (name === '') return failed('Enter the name of a picture');
  try {
    const bytes = await archive.read(name);
    return isPicture(bytes)
      ? { digest: await digestOf(bytes), errors: [] }
      : failed(`${name} is not a PNG, JPEG, WebP, GIF or AVIF image`);
  } catch (error) {
    if (!(error instanceof UnusablePictureError)) throw error;
    return failed(error.message);
  }
}
