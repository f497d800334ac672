import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { screenAt } from '#shared/site/screens.ts';

const FOLDER = path.resolve('web/public');

interface Icon {
  src: string;
  sizes: string;
  purpose?: string;
}
interface Manifest {
  id: string;
  scope: string;
  start_url: string;
  display: string;
  theme_color: string;
  icons: Icon[];
  screenshots: Array<{ src: string; sizes: string; form_factor: string; label: string }>;
  shortcuts: Array<{ name: string; url: string; icons: Icon[] }>;
}
const manifest = JSON.parse(readFileSync(path.join(FOLDER, 'manifest.webmanifest'), 'utf8')) as Manifest;

/** Every PNG has its width and height in the first chunk. */
function sizeOf(src: string): string {
  const png = readFileSync(path.join(FOLDER, src));
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test('the app can be installed: identity, scope, and icons of the sizes that it names', () => {
  expect(manifest).toMatchObject({ id: '/', scope: '/', start_url: '/', display: 'standalone' });
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons)];
  const drawn = icons.filter(({ src }) => src.endsWith('.png'));
  expect(drawn.map(({ src }) => sizeOf(src))).toEqual(drawn.map(({ sizes }) => sizes));
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
});

test('the offer to install the app shows small pictures of it, for narrow and wide screens', async () => {
  const files = manifest.screenshots.map((shot) => ({ ...shot, file: path.join(FOLDER, shot.src) }));
  for (const { file, sizes } of files) {
    const { width, height, format } = await sharp(file).metadata();
    expect([`${width}x${height}`, format]).toEqual([sizes, 'jpeg']);
    expect(statSync(file).size).toBeLessThan(150_000);
  }
  expect(new Set(files.map(({ form_factor }) => form_factor))).toEqual(new Set(['narrow', 'wide']));
});

test("the app's shortcuts lead to screens, and its color is that of the dark theme before the page chooses", () => {
  for (const { url } of manifest.shortcuts) expect([url, screenAt(url)]).not.toContain(null);
  expect(readFileSync('web/index.html', 'utf8')).toContain(`name="theme-color" content="${manifest.theme_color}"`);
});
