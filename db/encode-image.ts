import { hash as digest } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import {
  AVATAR_MAX_BYTES,
  AVIF_MAX_MEGAPIXELS,
  IMAGE_MAX_MEGAPIXELS,
  IMAGE_WIDTHS_PX,
  PICTURE_MAX_BYTES,
} from '#shared/constants.ts';

const MAX_WIDTH_PX = Math.max(...IMAGE_WIDTHS_PX);
const MAX_HEIGHT_PX = 1600;
const MAX_SQUARE_PX = 320;
const MEGAPIXEL = 1_000_000;
const WEBP_QUALITIES = [82, 72, 60, 50] as const;
const WORST_QUALITY = 50;
const NOISE_FACTOR = 3;
const SHRINK_FACTOR = 0.9;
/** Effort 2 of 6: half the time, 4 % larger. */
const WEBP_EFFORT = 2;
/** A damaged picture is decoded as far as it goes, as browsers show it. */
const failOn = 'none';
const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif', 'heif', 'avif']);

// Pictures are encoded in parallel: one thread for each is faster than several for one.
sharp.concurrency(1);
sharp.cache(false);

export class UnreadableImageError extends Error {}

export class TooManyPixelsError extends UnreadableImageError {}

interface RawPixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

interface EncodedVariant {
  widthPx: number;
  bytes: Buffer;
  width: number;
  height: number;
}

/** The full size and every narrower one of IMAGE_WIDTHS_PX, as WebP without metadata. */
export interface EncodedImage {
  hash: string;
  variants: EncodedVariant[];
}

export interface ImageOptions {
  square?: boolean;
}

/** Names a file by its bytes: the first half of their SHA-256. */
export const pictureHash = (bytes: Uint8Array): string => digest('sha256', bytes, 'hex').slice(0, 32);

export const bytesOf = ({ variants }: EncodedImage): number =>
  variants.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Re-encodes a picture as WebP in all sizes, together at most PICTURE_MAX_BYTES or AVATAR_MAX_BYTES. @throws UnreadableImageError */
export async function encodeImage(input: Buffer, options: ImageOptions = {}): Promise<EncodedImage> {
  const square = options.square ?? false;
  const maxBytes = square ? AVATAR_MAX_BYTES : PICTURE_MAX_BYTES;
  let pixels = await decode(input, square);
  let image = await encodeAll(pixels, WEBP_QUALITIES[0]);
  const worse = bytesOf(image) > NOISE_FACTOR * maxBytes ? [WORST_QUALITY] : WEBP_QUALITIES.slice(1);
  for (const quality of worse) {
    if (bytesOf(image) <= maxBytes) return image;
    // oxlint-disable-next-line no-await-in-loop -- the next quality is tried only where this one is too large
    image = await encodeAll(pixels, quality);
  }
  while (bytesOf(image) > maxBytes) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    pixels = await shrink(pixels, SHRINK_FACTOR * Math.sqrt(maxBytes / bytesOf(image)));
    // oxlint-disable-next-line no-await-in-loop -- see above
    image = await encodeAll(pixels, WORST_QUALITY);
  }
  return image;
}

async function encodeAll(pixels: RawPixels, quality: number): Promise<EncodedImage> {
  const full = await encode(pixels, pixels.width, quality);
  const widths = IMAGE_WIDTHS_PX.filter((widthPx) => widthPx < pixels.width);
  const narrower = await Promise.all(
    widths.map(async (widthPx) => ({ ...(await encode(pixels, widthPx, quality)), widthPx })),
  );
  return {
    hash: pictureHash(full.bytes),
    variants: [{ ...full, widthPx: 0 }, ...narrower],
  };
}

async function shrink({ data: pixels, ...raw }: RawPixels, factor: number): Promise<RawPixels> {
  const width = Math.max(1, Math.floor(raw.width * factor));
  const { data, info } = await sharp(pixels, { raw }).resize({ width }).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: raw.channels };
}

export async function encodeWidth({ bytes }: Pick<EncodedVariant, 'bytes'>, widthPx: number): Promise<EncodedVariant> {
  return { ...(await encode(await decode(bytes, false), widthPx, WEBP_QUALITIES[0])), widthPx };
}

async function decode(input: Buffer, square: boolean): Promise<RawPixels> {
  try {
    const { image, width, height } = await open(input);
    const side = Math.min(width, height, MAX_SQUARE_PX);
    const most = square ? { width: side, height: side } : { width: MAX_WIDTH_PX, height: MAX_HEIGHT_PX };
    const { data, info } = await image
      .resize({ ...most, fit: square ? 'cover' : 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
  } catch (error) {
    if (error instanceof UnreadableImageError) throw error;
    throw new UnreadableImageError('The picture cannot be read', { cause: error });
  }
}

async function open(input: Buffer): Promise<{ image: Sharp; width: number; height: number }> {
  const { format, autoOrient } = await sharp(input, { limitInputPixels: false, failOn, pages: 1 }).metadata();
  if (!FORMATS.has(format)) throw new UnreadableImageError(`Pictures of the kind ${format} are not accepted`);
  const isAvif = format === 'heif';
  const maxPixels = (isAvif ? AVIF_MAX_MEGAPIXELS : IMAGE_MAX_MEGAPIXELS) * MEGAPIXEL;
  if (autoOrient.width * autoOrient.height > maxPixels) throw new TooManyPixelsError('Too many pixels');
  const image = sharp(input, { limitInputPixels: maxPixels, failOn, pages: 1 });
  return { image: image.autoOrient(), width: autoOrient.width, height: autoOrient.height };
}

async function encode(
  { data: pixels, ...raw }: RawPixels,
  width: number,
  quality: number,
): Promise<Omit<EncodedVariant, 'widthPx'>> {
  const { data, info } = await sharp(pixels, { raw })
    .resize({ width })
    .webp({ quality, effort: WEBP_EFFORT, alphaQuality: quality === WORST_QUALITY ? WORST_QUALITY : 100 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
