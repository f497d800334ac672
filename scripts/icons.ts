/** Draws the app's icons from web/public/favicon.svg: `node scripts/icons.ts`, after a change of the mark. */
import { mkdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';

const PUBLIC = new URL('../web/public/', import.meta.url);
const svg = await readFile(new URL('favicon.svg', PUBLIC), 'utf8');

/** Platforms that cut their own shape need the color up to the edge, and the mark inside the inner 80 %. */
const fullBleed = svg.replace('rx="11"', 'rx="0"').replace('scale(.84)', 'scale(.66)');

const ICONS = [
  { file: 'icons/icon-32.png', px: 32, source: svg },
  { file: 'icons/icon-192.png', px: 192, source: svg },
  { file: 'icons/icon-512.png', px: 512, source: svg },
  { file: 'icons/maskable-512.png', px: 512, source: fullBleed },
  { file: 'icons/apple-touch-icon.png', px: 180, source: fullBleed },
];

await mkdir(new URL('icons/', PUBLIC), { recursive: true });
await Promise.all(
  ICONS.map(async ({ file, px, source }) => {
    const density = (72 * px) / 48;
    await sharp(Buffer.from(source), { density })
      .resize(px, px)
      .png({ compressionLevel: 9, palette: true })
      .toFile(new URL(file, PUBLIC).pathname);
    console.log(`web/public/${file}`);
  }),
);
