import sharp from 'sharp';
import { expect, test } from 'vitest';
import { storeImage } from '#db/images.ts';
import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { createTestApp } from '#lab/testing/app.ts';

const server = await createTestApp();
const { db } = server.services;
const load = (name: string) => fetch(`${server.url}/images/${name}`);

async function stored(width: number): Promise<string> {
  const { r, g, b } = { r: width % 256, g: 90, b: 160 };
  const create = { width, height: Math.round(width * 1.5), channels: 3, background: { r, g, b } } as const;
  return (await storeImage(db, await sharp({ create }).png().toBuffer())).hash;
}

test('serves a picture in each of its widths, cached for an hour [R25]', async () => {
  const hash = await stored(800);
  for (const width of IMAGE_WIDTHS_PX) {
    const response = await load(`${hash}-${width}.webp`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(width);
  }
});

test('a picture that is older than one of the widths gets it when it is first asked for [R25]', async () => {
  const hash = await stored(700);
  await db.deleteFrom('images').where('hash', '=', hash).where('widthPx', '=', 192).execute();
  const responses = await Promise.all([load(`${hash}-192.webp`), load(`${hash}-192.webp`)]);
  for (const response of responses) {
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(192);
  }
  const rows = await db
    .selectFrom('images')
    .select('width')
    .where('hash', '=', hash)
    .where('widthPx', '=', 192)
    .execute();
  expect(rows).toEqual([{ width: 192 }]);
});

test('a width that is not narrower than the picture is the picture, which is stored once [R25]', async () => {
  const hash = await stored(150);
  for (const width of [192, 320, 640]) {
    const response = await load(`${hash}-${width}.webp`);
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(150);
  }
  const rows = await db.selectFrom('images').select('widthPx').where('hash', '=', hash).orderBy('widthPx').execute();
  expect(rows).toEqual([{ widthPx: 0 }, { widthPx: 96 }]);
});

test('no other width, no other picture [R25]', async () => {
  const hash = await stored(400);
  for (const name of [`${hash}-193.webp`, `${'0'.repeat(32)}-192.webp`, `${'0'.repeat(32)}.webp`, 'x.webp']) {
    const response = await load(name);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('a cache that asks again keeps a picture by its ETag, and loses it once the picture is gone [R25]', async () => {
  const hash = await stored(420);
  for (const name of [`${hash}.webp`, `${hash}-192.webp`]) {
    const etag = (await load(name)).headers.get('etag') ?? '';
    const again = () => fetch(`${server.url}/images/${name}`, { headers: { 'if-none-match': etag } });
    const kept = await again();
    expect([kept.status, kept.headers.get('etag'), kept.headers.get('cache-control')]).toEqual([
      304,
      etag,
      'public, max-age=3600',
    ]);
    await db
      .updateTable('images')
      .set({ hash: `${hash}00` })
      .where('hash', '=', hash)
      .execute();
    const gone = await again();
    expect([gone.status, gone.headers.get('etag'), gone.headers.get('cache-control')]).toEqual([404, null, 'no-store']);
    await db.updateTable('images').set({ hash }).where('hash', '=', `${hash}00`).execute();
  }
});
