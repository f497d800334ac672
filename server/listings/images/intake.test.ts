import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  AVATAR_MAX_BYTES,
  IMAGE_MAX_BYTES,
  IMAGE_WIDTHS_PX,
  PICTURE_BYTES_PER_HOUR,
  PICTURE_UPLOADS_PER_HOUR,
  PICTURE_MAX_BYTES,
} from '#shared/constants.ts';
import { imageKind } from '#shared/listings/image-kind.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertShownImage, insertUser, setProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, prepareSubmit } from '#lab/testing/drafts.ts';
import { acceptImage } from './intake.ts';

const server = await createTestApp();
const { db } = server.services;

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const picture = (width = 300, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 140, b: 220 } } });
const accept = (url: string, options = {}) => acceptImage(db, url, { userId: null, ...options });

async function rejection(url: string, options = {}) {
  const error = await accept(url, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpError)) throw new Error(`expected a rejection, got ${String(error)}`);
  expect(error.message).toMatch(/^[A-Z].{10,}/);
  return { status: error.status, code: error.code, field: error.extra['field'] };
}

/** A picture of four colors: red and green above, blue and yellow below. */
async function quarters(width: number, height: number): Promise<Sharp> {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const quarter = (background: string, left: number, top: number) => ({
    input: { create: { width: halfWidth, height: halfHeight, channels: 3 as const, background } },
    left,
    top,
  });
  const image = sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    quarter('lime', halfWidth, 0),
    quarter('blue', 0, halfHeight),
    quarter('yellow', halfWidth, halfHeight),
  ]);
  return sharp(await image.png().toBuffer());
}

interface Pixel {
  r: number;
  g: number;
  b: number;
  alpha: number;
}

/** The pixel at these parts of width and height. */
async function pixelAt(bytes: Buffer | undefined, x: number, y: number): Promise<Pixel> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(at, at + 4);
  return { r, g, b, alpha };
}

function expectColor({ r, g, b }: Pixel, expected: number[], slack = 8): void {
  const difference = [r, g, b].map((value, index) => Math.abs(value - (expected[index] ?? 0)));
  if (Math.max(...difference) > slack) throw new Error(`the color is ${[r, g, b].join()}, not ${expected.join()}`);
}

const upperMean = async (bytes: Buffer | undefined): Promise<Pixel> =>
  pixelAt(await sharp(bytes).resize(1, 2, { fit: 'fill' }).png().toBuffer(), 0, 0);

/** The colors of the quarters, row by row, by their first letters. */
async function seenQuarters(bytes: Buffer): Promise<string> {
  const places = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x, y] as const));
  const pixels = await Promise.all(places.map(([x, y]) => pixelAt(bytes, x, y)));
  return pixels.map(({ r, g, b }) => (b > 128 ? 'B' : r > 128 && g > 128 ? 'Y' : r > 128 ? 'R' : 'G')).join('');
}

const stored = (hash: string) =>
  db.selectFrom('images').selectAll().where('hash', '=', hash).orderBy('widthPx').execute();

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
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
  ] as const)(
    'a %s is taken, whatever its label says, and stored as WebP in every narrower width [R25]',
    async (kind, make) => {
      const bytes = await make();
      expect(imageKind(bytes)).toBe(kind);
      for (const label of [`image/${kind}`, 'image/svg+xml', 'text/html', '']) {
        const { hash } = await accept(dataUrl(bytes, label));
        expect(hash).toMatch(/^[0-9a-f]{32}$/);
        const rows = await stored(hash);
        expect(rows.map((row) => row.widthPx)).toEqual([0, ...IMAGE_WIDTHS_PX.filter((widthPx) => widthPx < 300)]);
        for (const row of rows) {
          expect(row.contentType).toBe('image/webp');
          expect(await sharp(row.bytes).metadata()).toMatchObject({ format: 'webp', width: row.width });
        }
      }
    },
  );

  test('the stored picture carries no metadata: no place, no camera, no colour profile [R25]', async () => {
    const bytes = await picture()
      .withExif({ IFD0: { Copyright: 'secret person' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const [full] = await stored((await accept(dataUrl(bytes))).hash);
    const metadata = await sharp(full?.bytes).metadata();
    for (const kind of ['exif', 'xmp', 'iptc', 'icc'] as const) expect(metadata[kind]).toBeUndefined();
    expect(full?.bytes.includes('secret person')).toBe(false);
  });

  describe('orientation and colors [R25]', () => {
    test.each([
      [1, 'RGBY'],
      [3, 'YBGR'],
      [6, 'BRYG'],
      [7, 'YGBR'],
    ])('a picture is stored upright, as EXIF orientation %i requires', async (orientation, expected) => {
      const bytes = await (await quarters(40, 20)).withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
      expect((await sharp(bytes).metadata()).orientation).toBe(orientation);
      const [width, height] = orientation < 5 ? [40, 20] : [20, 40];
      for (const row of await stored((await accept(dataUrl(bytes))).hash)) {
        expect([row.width, row.height]).toEqual([width, height]);
        expect(await seenQuarters(row.bytes)).toBe(expected);
      }
    });

    test.each([
      ['png', (image: Sharp) => image.png()],
      ['webp', (image: Sharp) => image.webp({ lossless: true })],
      ['gif', (image: Sharp) => image.gif()],
      ['avif', (image: Sharp) => image.avif({ lossless: true })],
    ])('a transparent %s is transparent in every stored width', async (_kind, encodeAs) => {
      const clear = { r: 0, g: 0, b: 0, alpha: 0 };
      const image = sharp(await picture(200, 400).png().toBuffer()).extend({ right: 200, background: clear });
      for (const row of await stored((await accept(dataUrl(await encodeAs(image).toBuffer()))).hash)) {
        const [left, right] = await Promise.all([pixelAt(row.bytes, 0.25, 0.5), pixelAt(row.bytes, 0.75, 0.5)]);
        expect([left.alpha, right.alpha]).toEqual([255, 0]);
        expectColor(left, [20, 140, 220]);
      }
    });

    test.each([
      ['GIF', (image: Sharp) => image.gif()],
      ['WebP', (image: Sharp) => image.webp()],
    ])('the stored picture of an animated %s is its first frame', async (_kind, encodeAs) => {
      const frames = await Promise.all(
        ['red', 'lime', 'blue'].map((background) =>
          sharp({ create: { width: 60, height: 80, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const bytes = await encodeAs(sharp(frames, { join: { animated: true } })).toBuffer();
      expect((await sharp(bytes).metadata()).pages).toBe(3);
      for (const row of await stored((await accept(dataUrl(bytes))).hash)) {
        expect([row.width, row.height]).toEqual([60, 80]);
        expect((await sharp(row.bytes).metadata()).pages ?? 1).toBe(1);
        expectColor(await pixelAt(row.bytes, 0.5, 0.5), [255, 0, 0]);
      }
    });
  });

  test('the same picture twice is stored once [R25]', async () => {
    const bytes = await picture(120, 160).png().toBuffer();
    const [first, second] = await Promise.all([accept(dataUrl(bytes)), accept(dataUrl(bytes))]);
    expect(second).toEqual(first);
    expect((await stored(first.hash)).map(({ widthPx }) => widthPx)).toEqual([0, 96]);
  });

  test('an avatar is cropped, not squeezed, and no larger than it is shown [R29 R25]', async () => {
    const middle = sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'blue' } });
    const tall = middle.extend({ top: 500, bottom: 500, background: 'red' });
    const { hash } = await accept(dataUrl(await tall.png().toBuffer()), { square: true });
    const [full] = await stored(hash);
    expect([full?.width, full?.height]).toEqual([320, 320]);
    for (const y of [0.02, 0.5, 0.98]) expectColor(await pixelAt(full?.bytes, 0.5, y), [0, 0, 255]);
  });

  const noisy = (width: number, height: number, channels: 3 | 4 = 3) =>
    sharp(randomBytes(width * height * channels), { raw: { width, height, channels } })
      .png()
      .toBuffer();
  const bytesOf = async (hash: string) => (await stored(hash)).reduce((sum, { bytes }) => sum + bytes.length, 0);

  test.each([
    ['noise', () => noisy(1600, 1600), {}, PICTURE_MAX_BYTES],
    ['tall noise', () => noisy(700, 2800), {}, PICTURE_MAX_BYTES],
    ['transparent noise', () => noisy(900, 1200, 4), {}, PICTURE_MAX_BYTES],
    ['noise as an avatar', () => noisy(640, 640), { square: true }, AVATAR_MAX_BYTES],
  ])('the stored size of %s is bounded', async (_what, make, options, most) => {
    const { hash } = await accept(dataUrl(await make()), options);
    expect(await bytesOf(hash)).toBeLessThanOrEqual(most);
    expect(await bytesOf(hash)).toBeGreaterThan(most / 6);
    for (const { bytes, width, height } of await stored(hash))
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height });
  });

  describe('the hourly allowance of new pictures [R66]', () => {
    const noisy = () =>
      sharp(randomBytes(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
        .png()
        .toBuffer();
    const storedBytes = async (): Promise<number> => {
      const { rows } = await sql<{
        bytes: number;
      }>`SELECT coalesce(sum(length(bytes)), 0)::int AS bytes FROM images`.execute(db);
      return rows[0]?.bytes ?? 0;
    };

    test('a user may store a number of bytes per hour, then gets 429 with the time; a known picture uses none of it', async () => {
      const [userId, other] = [await insertUser(db), await insertUser(db)];
      const before = await storedBytes();
      const urls: string[] = [];
      const upload = async (url?: string): Promise<string> => {
        url ??= dataUrl(await noisy());
        urls.push(url);
        return accept(url, { userId }).then(
          () => 'stored',
          (error: HttpError) => error.code,
        );
      };
      // Each of them takes some tens of kilobytes.
      let result = 'stored';
      while (result === 'stored' && urls.length < 60) result = await upload(urls.length < 20 ? urls[0] : undefined);
      expect(result).toBe('too_many_pictures');
      expect(urls.length).toBeGreaterThan(22);
      expect((await storedBytes()) - before).toBeLessThanOrEqual(PICTURE_BYTES_PER_HOUR);
      // A small picture that would fit is not processed, either: a client could repeat large ones without end.
      await expect(accept(dataUrl(await picture().png().toBuffer()), { userId })).rejects.toHaveProperty(
        'code',
        'too_many_pictures',
      );
      await expect(accept(urls.at(-1) ?? '', { userId: other })).resolves.toHaveProperty('hash');
      const age = (by: string) =>
        sql`UPDATE user_allowances SET started_at = now() - ${by}::interval WHERE user_id = ${userId}`.execute(db);
      await age('59 minutes 30 seconds');
      const next = dataUrl(await noisy());
      const refused = await accept(next, { userId, field: 'avatarUrl' }).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        status: 429,
        message: 'You have uploaded several pictures within the last hour. Try again in 1 minute.',
        retryAfterS: expect.any(Number),
        extra: { field: 'avatarUrl' },
      });
      await age('60 minutes');
      await expect(accept(next, { userId })).resolves.toHaveProperty('hash');
    });

    test('simultaneous uploads do not exceed the allowance of uploads', async () => {
      const userId = await insertUser(db);
      const known = dataUrl(await picture().png().toBuffer());
      await accept(known);
      const results = await Promise.allSettled(
        Array.from({ length: PICTURE_UPLOADS_PER_HOUR + 5 }, () => accept(known, { userId })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(PICTURE_UPLOADS_PER_HOUR);
    });
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
  ])('%s labeled as PNG gets 415 [R25]', async (_name, make) => {
    expect(await rejection(dataUrl(await make()))).toEqual({
      status: 415,
      code: 'unsupported_image',
      field: 'imageUrl',
    });
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['a WebP cut in half', async () => half(await noise().webp().toBuffer())],
    ['an AVIF cut in half', async () => half(await noise().avif().toBuffer())],
    ['a PNG head with nothing behind', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a JPEG head before an SVG', async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)])],
    ['a GIF head before HTML', async () => Buffer.from('GIF89a<script>alert(1)</script>')],
  ])('%s gets 400 [R25]', async (_name, make) => {
    expect(await rejection(dataUrl(await make()))).toEqual({ status: 400, code: 'invalid_image', field: 'imageUrl' });
  });

  test.each<[string, (image: Sharp) => Sharp, number[]]>([
    ['JPEG', (image) => image.jpeg(), [1, 2, 3, 20, 4_000]],
    ['progressive JPEG', (image) => image.jpeg({ progressive: true }), [1, 2, 3, 20, 4_000]],
    ['PNG', (image) => image.png(), [1, 2, 12, 16, 4_000]],
    ['GIF', (image) => image.gif(), [1, 20, 4_000]],
  ])('a %s without its end is taken, as browsers show it [R25]', async (_kind, encodeAs, cuts) => {
    const bytes = await encodeAs(noise().resize(150)).toBuffer();
    const [whole] = await stored((await accept(dataUrl(bytes))).hash);
    for (const cut of cuts) {
      const [full] = await stored((await accept(dataUrl(bytes.subarray(0, -cut)))).hash);
      expect([full?.width, full?.height]).toEqual([150, 150]);
      const { r, g, b } = await upperMean(whole?.bytes);
      expectColor(await upperMean(full?.bytes), [r, g, b]);
    }
  });

  test('takes a PNG with a wrong checksum, as browsers show it [R25]', async () => {
    const bytes = await noise().png().toBuffer();
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 13) ^ 0xff, bytes.length - 13);
    expect(await accept(dataUrl(bytes))).toHaveProperty('hash');
  });

  test.each<[string, [width: number, height: number], (image: Sharp) => Sharp]>([
    ['JPEG of 5712 × 4284', [5_712, 4_284], (image) => image.jpeg()],
    ['AVIF of 4032 × 3024', [4_032, 3_024], (image) => image.avif({ effort: 0 })],
  ])('takes a %s, the size that phones send [R25]', async (_kind, size, encodeAs) => {
    expect(await accept(dataUrl(await encodeAs(picture(...size)).toBuffer()))).toHaveProperty('hash');
  });

  test('a small file that claims billions of pixels is refused before it is decoded [R25]', async () => {
    const bomb = hugePng(60_000, 60_000);
    expect(bomb.length).toBeLessThan(2000);
    const before = process.memoryUsage().rss;
    expect(await rejection(dataUrl(bomb))).toMatchObject({ status: 413, code: 'too_many_pixels' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test('exactly 10 MB are checked by their content, one byte more is 413 [R25]', async () => {
    const png = await picture().png().toBuffer();
    const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);
    await expect(accept(dataUrl(padded(IMAGE_MAX_BYTES)))).resolves.toHaveProperty('hash');
    expect(await rejection(dataUrl(padded(IMAGE_MAX_BYTES + 1)))).toEqual({
      status: 413,
      code: 'image_too_large',
      field: 'imageUrl',
    });
  });

  test.each(['', 'https://example.com/a.png', 'data:image/png,', 'data:image/png;base64,'])(
    '%j is not a picture and gets 400 [R25]',
    async (text) => {
      expect(await rejection(text, { field: 'avatarUrl' })).toEqual({
        status: 400,
        code: 'invalid_image',
        field: 'avatarUrl',
      });
    },
  );
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

const load = (name: string) => fetch(`${server.url}/images/${name}`);

async function storeWide(width: number): Promise<string> {
  const { r, g, b } = { r: width % 256, g: 90, b: 160 };
  const create = { width, height: Math.round(width * 1.5), channels: 3, background: { r, g, b } } as const;
  return insertShownImage(db, await sharp({ create }).png().toBuffer());
}

test('serves a picture in each of its widths, cached for an hour [R25]', async () => {
  const hash = await storeWide(800);
  for (const width of IMAGE_WIDTHS_PX) {
    const response = await load(`${hash}-${width}.webp`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(width);
  }
});

test('a picture stored before a width existed gets it on the first request [R25]', async () => {
  const hash = await storeWide(700);
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

test('a width that is not narrower than the picture returns the picture itself, stored once [R25]', async () => {
  const hash = await storeWide(150);
  for (const width of [192, 320, 640]) {
    const response = await load(`${hash}-${width}.webp`);
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(150);
  }
  const rows = await db.selectFrom('images').select('widthPx').where('hash', '=', hash).orderBy('widthPx').execute();
  expect(rows).toEqual([{ widthPx: 0 }, { widthPx: 96 }]);
});

test('another width or picture is 404 [R25]', async () => {
  const hash = await storeWide(400);
  for (const name of [`${hash}-193.webp`, `${'0'.repeat(32)}-192.webp`, `${'0'.repeat(32)}.webp`, 'x.webp']) {
    const response = await load(name);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('a cache can revalidate a picture by its ETag until the picture is deleted [R25]', async () => {
  const hash = await storeWide(420);
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

test('a picture of an order is shown to its payer, and to all once it is listed [R86]', async () => {
  const payer = await newUser(server);
  const { body } = await prepareSubmit(payer, await newDraft({ imageUrl: await pictureUrl(77) }));
  const { draft } = await db
    .selectFrom('payments')
    .select('draft')
    .where('id', '=', body.paymentId)
    .executeTakeFirstOrThrow();
  const { imageHash } = draft as { imageHash: string };
  const clients = { payer, stranger: await newUser(server), visitor: new Client(server.url) };
  const seen = async (headers = {}) => {
    const found: string[] = [];
    for (const [name, client] of Object.entries(clients)) {
      const response = await client.get(`/images/${imageHash}.webp`, headers);
      if (response.status !== 404) found.push(`${name} ${response.status} ${response.headers.get('cache-control')}`);
    }
    return found;
  };
  expect(await seen()).toEqual(['payer 200 private, no-store']);
  expect(await seen({ 'if-none-match': `"${imageHash}.webp"` })).toEqual(['payer 304 private, no-store']);
  await setProject(db, await insertProject(db), { imageHash });
  expect(await seen()).toEqual(Object.keys(clients).map((name) => `${name} 200 public, max-age=3600`));
});

test('the owner blanks any picture, such as one of a profile, by a statement of the console [R86]', async () => {
  const user = await newUser(server);
  const avatar = { avatarUrl: await pictureUrl(78) };
  const { body } = await user.patch<{ avatarUrl: string }>(`/api/users/${user.id}`, avatar);
  const name = body.avatarUrl.slice('/images/'.length);
  expect((await load(name)).status).toBe(200);
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL ROLE snapswipe_console`.execute(trx);
    await sql`INSERT INTO blanked_pictures (hash) VALUES (${name.replace('.webp', '')})`.execute(trx);
  });
  expect((await load(name)).status).toBe(404);
  expect(await user.patch(`/api/users/${user.id}`, avatar)).toMatchObject({
    status: 400,
    body: { error: 'blanked_image' },
  });
});
