import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { IMAGE_MAX_BYTES, IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { HttpError } from '../errors.ts';
import { createTestDatabase } from '../testing/app.ts';
import { acceptImage, imageKind } from './intake.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase(created.url);
});
afterAll(async () => {
  await database.close();
  await drop();
});

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const picture = (width = 300, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 140, b: 220 } } });
const accept = (url: string, options = {}) => acceptImage(database.db, url, options);

async function refusal(url: string, options = {}) {
  const error = await accept(url, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpError)) throw new Error(`expected a refusal, got ${String(error)}`);
  expect(error.message).toMatch(/^[A-Z].{10,}/);
  return { status: error.status, code: error.code, field: error.extra['field'] };
}

const stored = (hash: string) =>
  database.db.selectFrom('images').selectAll().where('hash', '=', hash).orderBy('widthPx').execute();

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const crc = body.reduce((sum, byte) => (CRC[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8), 0xffffffff);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}
/** A PNG of a few hundred bytes that claims any size. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('acceptImage', () => {
  test.each([
    ['png', () => picture().png().toBuffer()],
    ['jpeg', () => picture().jpeg().toBuffer()],
    ['webp', () => picture().webp().toBuffer()],
    ['gif', () => picture().gif().toBuffer()],
    ['avif', () => picture().avif().toBuffer()],
  ] as const)('[R25] takes a %s, whatever its label says, and stores WebP in every width', async (kind, make) => {
    const bytes = await make();
    expect(imageKind(bytes)).toBe(kind);
    for (const label of [`image/${kind}`, 'image/svg+xml', 'text/html', '']) {
      const { hash } = await accept(dataUrl(bytes, label));
      expect(hash).toMatch(/^[0-9a-f]{32}$/);
      const rows = await stored(hash);
      expect(rows.map((row) => row.widthPx)).toEqual([0, ...IMAGE_WIDTHS_PX]);
      for (const row of rows) {
        expect(row.contentType).toBe('image/webp');
        expect(await sharp(row.bytes).metadata()).toMatchObject({ format: 'webp', width: row.width });
      }
    }
  });

  test('[R25] the stored picture carries no metadata: no place, no camera, no colour profile', async () => {
    const bytes = await picture()
      .withExif({ IFD0: { Copyright: 'secret person' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const [full] = await stored((await accept(dataUrl(bytes))).hash);
    const metadata = await sharp(full?.bytes).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(full?.bytes.includes('secret person')).toBe(false);
  });

  test('[R25] the same picture twice is stored once', async () => {
    const bytes = await picture(120, 160).png().toBuffer();
    const [first, second] = await Promise.all([accept(dataUrl(bytes)), accept(dataUrl(bytes))]);
    expect(second).toEqual(first);
    expect(await stored(first.hash)).toHaveLength(1 + IMAGE_WIDTHS_PX.length);
  });

  test('[R29 R25] an avatar is made square', async () => {
    const [full] = await stored(
      (await accept(dataUrl(await picture(300, 500).png().toBuffer()), { square: true })).hash,
    );
    expect([full?.width, full?.height]).toEqual([300, 300]);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['an SVG', () => Buffer.from(svg)],
    ['an SVG behind a byte order mark and XML', () => Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`)],
    ['a TIFF', () => picture().tiff().toBuffer()],
    ['a HEIC', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a video', () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
    ['a PDF', () => Buffer.from('%PDF-1.7 pretending')],
    ['HTML', () => Buffer.from('<html><script>alert(1)</script></html>')],
    ['a BMP', () => Buffer.from('BM\x46\0\0\0\0\0\0\0', 'latin1')],
    ['one byte', () => Buffer.from([0x89])],
  ])('[R25] %s labelled as PNG: 415', async (_name, make) => {
    expect(await refusal(dataUrl(await make()))).toEqual({ status: 415, code: 'unsupported_image', field: 'imageUrl' });
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['a PNG cut in half', async () => half(await noise().png().toBuffer())],
    ['a JPEG cut in half', async () => half(await noise().jpeg().toBuffer())],
    ['a WebP cut in half', async () => half(await noise().webp().toBuffer())],
    ['a GIF cut in half', async () => half(await noise().gif().toBuffer())],
    ['an AVIF cut in half', async () => half(await noise().avif().toBuffer())],
    ['a PNG head with nothing behind', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a JPEG head before an SVG', async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)])],
    ['a GIF head before HTML', async () => Buffer.from('GIF89a<script>alert(1)</script>')],
  ])('[R25] %s: 400', async (_name, make) => {
    expect(await refusal(dataUrl(await make()))).toEqual({ status: 400, code: 'invalid_image', field: 'imageUrl' });
  });

  test('[R25] a small file that claims billions of pixels is refused before it is decoded', async () => {
    const bomb = hugePng(60_000, 60_000);
    expect(bomb.length).toBeLessThan(2000);
    const before = process.memoryUsage().rss;
    expect(await refusal(dataUrl(bomb))).toMatchObject({ status: 413, code: 'too_many_pixels' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test('[R25] exactly 10 MB are judged by their content, one byte more is 413', async () => {
    const png = await picture().png().toBuffer();
    const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);
    await expect(accept(dataUrl(padded(IMAGE_MAX_BYTES)))).resolves.toHaveProperty('hash');
    expect(await refusal(dataUrl(padded(IMAGE_MAX_BYTES + 1)))).toEqual({
      status: 413,
      code: 'image_too_large',
      field: 'imageUrl',
    });
  });

  test.each([
    '',
    'data:',
    'data:image/png;base64',
    'data:image/png,hello',
    'https://example.com/a.png',
    '/images/0.webp',
    'data:image/png;base64,%%%%',
    'data:image/png;base64,',
  ])('[R25] %j is no picture: 400', async (text) => {
    expect(await refusal(text, { field: 'avatarUrl' })).toEqual({
      status: 400,
      code: 'invalid_image',
      field: 'avatarUrl',
    });
  });
});

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
const noise = () =>
  sharp({
    create: {
      width: 400,
      height: 400,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
      background: 'black',
    },
  });
