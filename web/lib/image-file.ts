import { AVIF_MAX_MEGAPIXELS, IMAGE_MAX_BYTES, IMAGE_MAX_MEGAPIXELS } from '#shared/constants.ts';
import { IMAGE_KIND_BYTES, imageKind, type ImageKind } from '#shared/listings/image-kind.ts';

export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

export interface PickedImage {
  dataUrl: string;
  width: number;
  height: number;
}

export class ImageFileError extends Error {}

const notReadable = () => new ImageFileError('This file cannot be read. Please try another.');

export const isPicture = (bytes: Uint8Array): boolean => imageKind(bytes) !== null;

/** By its first bytes: systems label files by their names, and some not at all. */
async function kindOf(file: File): Promise<ImageKind> {
  const head = await file
    .slice(0, IMAGE_KIND_BYTES)
    .arrayBuffer()
    .catch(() => {
      throw notReadable();
    });
  const kind = imageKind(new Uint8Array(head));
  if (kind === null) throw new ImageFileError('Please use a PNG, JPEG, WebP, GIF or AVIF image');
  return kind;
}

function readAsDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(notReadable()));
    reader.readAsDataURL(file);
  });
}

async function decode(dataUrl: string, kind: ImageKind): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = dataUrl;
  try {
    await image.decode();
    // Chromium notices only here that the end of an AVIF is missing. Of other kinds the server takes what is left.
    if (kind === 'avif') (await createImageBitmap(image, { resizeWidth: 1, resizeHeight: 1 })).close();
  } catch (cause) {
    throw new ImageFileError('This image cannot be read. Please try another file.', { cause });
  }
  return image;
}

/** More than any place shows. */
const REDRAWN_PIXELS = 3_000_000;

/** Returns the picture with fewer pixels; null where the browser has no canvas. */
async function redraw(image: HTMLImageElement): Promise<string | null> {
  const { naturalWidth, naturalHeight } = image;
  const factor = Math.min(1, Math.sqrt(REDRAWN_PIXELS / (naturalWidth * naturalHeight)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * factor));
  canvas.height = Math.max(1, Math.round(naturalHeight * factor));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  return blob && readAsDataUrl(blob);
}

/** @throws ImageFileError when the file is too large, of another type, or broken */
export async function readImageFile(file: File): Promise<PickedImage> {
  if (file.size > IMAGE_MAX_BYTES)
    throw new ImageFileError(`Images can be at most ${IMAGE_MAX_BYTES / 1024 / 1024} MB`);
  const kind = await kindOf(file);
  const dataUrl = await readAsDataUrl(file.slice(0, file.size, `image/${kind}`));
  const image = await decode(dataUrl, kind);
  const { naturalWidth: width, naturalHeight: height } = image;
  const maxMegapixels = kind === 'avif' ? AVIF_MAX_MEGAPIXELS : IMAGE_MAX_MEGAPIXELS;
  if (width * height <= maxMegapixels * 1_000_000) return { dataUrl, width, height };
  const redrawn = await redraw(image);
  if (redrawn === null) {
    throw new ImageFileError(
      `The image has ${width} × ${height} pixels, which is too many. The limit is ${maxMegapixels} megapixels.`,
    );
  }
  return { dataUrl: redrawn, width, height };
}
