import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { AVIF_MAX_MEGAPIXELS, IMAGE_MAX_MEGAPIXELS, IMAGE_WIDTHS_PX } from '#shared/constants.ts';

/** The stored picture keeps no side longer than this; an avatar none longer than the largest variant. */
const MAX_SIDE_PX = 1600;
const MAX_SQUARE_PX = Math.max(...IMAGE_WIDTHS_PX);
const MEGAPIXEL = 1_000_000;
const WEBP_QUALITY = 82;
/** 2 of 6: half the time of the default for 4 % more bytes. */
const WEBP_EFFORT = 2;
/** What R25 lets in, as the decoder names it (AVIF is a HEIF); SVG above all is not. */
const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif', 'heif', 'avif']);

// Pictures are encoded side by side, so one thread for each is faster than several for one, and leaves room for requests.
sharp.concurrency(1);
sharp.cache(false);

/** The bytes are no picture that can be read: broken, too many pixels, or of a kind that is not taken. */
export class UnreadableImageError extends Error {}

/** A picture with more pixels than are decoded. */
export class TooManyPixelsError extends UnreadableImageError {}

/** Decoded pixels, three (RGB) or four (RGBA) bytes each. */
interface RawPixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

export interface EncodedVariant {
  /** 0 for the full size, else one of IMAGE_WIDTHS_PX. */
  widthPx: number;
  bytes: Buffer;
  width: number;
  height: number;
}

/** A picture ready to be stored: the full size and every width of IMAGE_WIDTHS_PX, all WebP without metadata. */
export interface EncodedImage {
  hash: string;
  variants: EncodedVariant[];
}

export interface ImageOptions {
  /** Cut a square out of the middle (avatars). */
  square?: boolean;
}

/**
 * Re-encodes a picture (first frame, upright, sRGB, at most 1600 px) as WebP in all sizes; uses no database.
 * @throws UnreadableImageError when the bytes are not a picture of a kind that is taken.
 */
export async function encodeImage(input: Buffer, options: ImageOptions = {}): Promise<EncodedImage> {
  const pixels = await decode(input, options.square ?? false);
  const full = await encode(pixels, pixels.width);
  // A variant is never larger than the picture; then it is the picture, so that a reader finds every width.
  const variants = await Promise.all(
    IMAGE_WIDTHS_PX.map(async (widthPx) => ({
      ...(widthPx < pixels.width ? await encode(pixels, widthPx) : full),
      widthPx,
    })),
  );
  return {
    hash: createHash('sha256').update(full.bytes).digest('hex').slice(0, 32),
    variants: [{ ...full, widthPx: 0 }, ...variants],
  };
}

/** A further width of a picture that `encodeImage` made: the same picture where it is not wider than that. */
export async function encodeWidth(
  { widthPx: _full, ...full }: EncodedVariant,
  widthPx: number,
): Promise<EncodedVariant> {
  if (widthPx >= full.width) return { ...full, widthPx };
  return { ...(await encode(await decode(full.bytes, false), widthPx)), widthPx };
}

async function decode(input: Buffer, square: boolean): Promise<RawPixels> {
  try {
    const { image, width, height } = await open(input);
    const side = square ? Math.min(width, height, MAX_SQUARE_PX) : MAX_SIDE_PX;
    const { data, info } = await image
      .resize({ width: side, height: side, fit: square ? 'cover' : 'inside', withoutEnlargement: true })
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
  // Reads the head only: what it claims is looked at before anything is decoded.
  const { format, autoOrient } = await sharp(input, { limitInputPixels: false, pages: 1 }).metadata();
  if (!FORMATS.has(format)) throw new UnreadableImageError(`Pictures of the kind ${format} are not accepted`);
  const isAvif = format === 'heif';
  const maxPixels = (isAvif ? AVIF_MAX_MEGAPIXELS : IMAGE_MAX_MEGAPIXELS) * MEGAPIXEL;
  if (autoOrient.width * autoOrient.height > maxPixels) throw new TooManyPixelsError('Too many pixels');
  const image = sharp(input, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  return { image: image.autoOrient(), width: autoOrient.width, height: autoOrient.height };
}

async function encode({ data: pixels, ...raw }: RawPixels, width: number): Promise<Omit<EncodedVariant, 'widthPx'>> {
  const { data, info } = await sharp(pixels, { raw })
    .resize({ width })
    .webp({ quality: WEBP_QUALITY, effort: WEBP_EFFORT })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
