/** Draws the app's icons from web/public/favicon.svg: `node scripts/icons.ts`, after a change of the mark. */
import { mkdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';

const PUBLIC = new URL('../web/public/', import.meta.url);
const svg = await readFile(new URL('favicon.svg', PUBLIC), 'utf8');

/** Platforms that cut their own shape need the color up to the edge, and the mark inside the inner 80 %. */
const fullBleed = svg.replace('rx="11"', 'rx="0"').replace('scale(.84)', 'scale(.66)');

/** Android draws a notification's mark from its alpha channel alone: the mark without its tile, gaps for lines. */
const monochrome = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
  <mask id="back"><rect width="48" height="48" fill="#fff"/>
    <rect x="16" y="7" width="25" height="34" rx="6.5" transform="rotate(9 28 24)" fill="#000"/></mask>
  <mask id="front"><rect width="48" height="48" fill="#fff"/>
    <path d="m21.5 29.5 5-6 4 3.5 5.5-8.5m-4.6-.6 4.8.3 1 4.8" fill="none" stroke="#000" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/></mask>
  <g transform="translate(-.4 -.4)" fill="#fff">
    <g mask="url(#back)"><rect x="7" y="9" width="24" height="32" rx="6" transform="rotate(-16 19 25)"/></g>
    <g mask="url(#front)"><rect x="17.5" y="8.5" width="22" height="31" rx="5" transform="rotate(9 28 24)"/></g>
  </g>
</svg>`;

const ICONS = [
  { file: 'icons/badge-96.png', px: 96, source: monochrome },
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
