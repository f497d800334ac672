import { AVIF_MAX_MEGAPIXELS, IMAGE_MAX_BYTES, IMAGE_MAX_MEGAPIXELS } from '#shared/constants.ts';

export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

/** Names that systems give a picture whose type they do not know: its content decides. */
const UNSURE_TYPES = ['image/jpg', 'image/pjpeg', 'application/octet-stream', ''];

export interface PickedImage {
  dataUrl: string;
  width: number;
  height: number;
}

export class ImageFileError extends Error {}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new ImageFileError('This file cannot be read. Please try another.')));
    reader.readAsDataURL(file);
  });
}

async function measure(dataUrl: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = dataUrl;
  try {
    await image.decode();
  } catch (cause) {
    throw new ImageFileError('This image cannot be read. Please try another file.', { cause });
  }
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** @throws ImageFileError when the file is too large, of another type, or broken */
export async function readImageFile(file: File): Promise<PickedImage> {
  if (![...IMAGE_TYPES.split(','), ...UNSURE_TYPES].includes(file.type))
    throw new ImageFileError('Please use a PNG, JPEG, WebP, GIF or AVIF image');
  if (file.size > IMAGE_MAX_BYTES)
    throw new ImageFileError(`Images can be at most ${IMAGE_MAX_BYTES / 1024 / 1024} MB`);
  const dataUrl = await readAsDataUrl(file);
  const size = await measure(dataUrl);
  const maxMegapixels = file.type === 'image/avif' ? AVIF_MAX_MEGAPIXELS : IMAGE_MAX_MEGAPIXELS;
  if (size.width * size.height > maxMegapixels * 1_000_000) {
    throw new ImageFileError(
      `The image has ${size.width} × ${size.height} pixels, which is too many. The limit is ${maxMegapixels} megapixels.`,
    );
  }
  return { dataUrl, ...size };
}
