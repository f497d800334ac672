import sharp, { type OverlayOptions } from 'sharp';
import type { Db } from '#db/client.ts';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

export const COLOR = {
  text: '#edf4fb',
  muted: '#b0c2d4',
  line: '#20364f',
  surface: '#0d1a29',
  raised: '#14253a',
  accent: '#43c6ff',
  green: '#3ddc9b',
  yellow: '#f6c65b',
  red: '#ff8080',
  medals: ['#f6c65b', '#cfdae6', '#e9a26e'],
} as const;

const shapes = (svg: string, width = CARD_WIDTH, height = CARD_HEIGHT): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${svg}</svg>`,
  );

const GROUND = `
  <defs>
    <radialGradient id="a" cx="1080" cy="-40" r="720" gradientUnits="userSpaceOnUse"><stop stop-color="#43c6ff" stop-opacity=".26"/><stop offset="1" stop-color="#43c6ff" stop-opacity="0"/></radialGradient>
    <radialGradient id="b" cx="40" cy="640" r="620" gradientUnits="userSpaceOnUse"><stop stop-color="#3ddc9b" stop-opacity=".16"/><stop offset="1" stop-color="#3ddc9b" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="1200" height="630" fill="#07101b"/><rect width="1200" height="630" fill="url(#a)"/><rect width="1200" height="630" fill="url(#b)"/>`;

const MARK = `
  <rect x="7" y="9" width="24" height="32" rx="6" transform="rotate(-16 19 25)" fill="#ff8080"/>
  <rect x="16" y="7" width="25" height="34" rx="6.5" transform="rotate(9 28 24)" fill="#07101b"/>
  <rect x="17.5" y="8.5" width="22" height="31" rx="5" transform="rotate(9 28 24)" fill="#43c6ff"/>
  <path d="m21.5 29.5 5-6 4 3.5 5.5-8.5m-4.6-.6 4.8.3 1 4.8" fill="none" stroke="#03141f" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/>`;
export const mark = (x: number, y: number, sizePx: number): string =>
  `<g transform="translate(${x} ${y}) scale(${sizePx / 48})">${MARK}</g>`;

export const ground = (svg: string): Buffer => shapes(GROUND + svg);

export function finish(base: Buffer, layers: OverlayOptions[]): Promise<Buffer> {
  return sharp(base).composite(layers).flatten().jpeg({ quality: 86, chromaSubsampling: '4:4:4' }).toBuffer();
}

const PLACEHOLDER = shapes(
  '<defs><linearGradient id="p" x2="1" y2="1"><stop stop-color="#0c3149"/><stop offset="1" stop-color="#14253a"/></linearGradient></defs><rect width="600" height="800" fill="url(#p)"/>',
  600,
  800,
);

export async function loadPicture(db: Db, imageHash: string): Promise<Buffer> {
  const row = await db
    .selectFrom('images')
    .select('bytes')
    .where('hash', '=', imageHash)
    .where('widthPx', 'in', [640, 0])
    .orderBy('widthPx', 'desc')
    .executeTakeFirst();
  return row?.bytes ?? PLACEHOLDER;
}

interface Frame {
  width: number;
  height: number;
  radius: number;
  tilt?: number;
}

export async function frame(
  picture: Buffer,
  { width, height, radius, tilt = 0 }: Frame,
): Promise<{ input: Buffer; width: number; height: number }> {
  const rounded = (look: string) =>
    shapes(`<rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="${radius}" ${look}/>`, width, height);
  const cropped = await sharp(picture).resize(width, height, { fit: 'cover' }).png().toBuffer();
  const card = await sharp(cropped)
    .composite([
      { input: rounded('fill="#fff"'), blend: 'dest-in' },
      { input: rounded('fill="none" stroke="#fff" stroke-opacity=".22" stroke-width="2"') },
    ])
    .png()
    .toBuffer();
  const { data, info } = await sharp(card)
    .rotate(tilt, { background: '#00000000' })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}
