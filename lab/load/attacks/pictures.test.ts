import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { UnreadableImageError } from '#db/encode-image.ts';
import { PICTURE_UPLOADS_PER_HOUR } from '#shared/constants.ts';
import type { User } from '#shared/contract/types.ts';
import { createEncoder, type Encoder } from '#server/listings/images/encoder.ts';
import { createTestApp } from '../../testing/app.ts';
import { newUser, type TestUser } from '../../testing/client.ts';
import { newDraft, prepareSubmit } from '../../testing/drafts.ts';
import { parseMetrics } from '../../testing/metrics.ts';

const METRICS_TOKEN = 'only-for-prometheus';
const server = await createTestApp({ env: { METRICS_TOKEN } });
const { db } = server.services;

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 10, g: 120, b: 200 } } });
/** Few bytes and many pixels. */
const avif = (side: number) => flat(side, side).avif({ effort: 0 }).toBuffer();
const urlOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

describe('the encoder', () => {
  const encoders: Encoder[] = [];
  const limited = (limits: Parameters<typeof createEncoder>[0]) => {
    const encoder = createEncoder(limits);
    encoders.push(encoder);
    return encoder;
  };
  afterAll(() => encoders.forEach((encoder) => encoder.close()));

  test('the encoder ends at its memory limit, refuses the picture, and encodes the next one', async () => {
    // Less than the process needs initially: any picture is too much.
    const encoder = limited({ megabytes: 20 });
    await expect(encoder.encode(await avif(2_000), {})).rejects.toBeInstanceOf(UnreadableImageError);
    const enough = limited({});
    expect((await enough.encode(await avif(300), {})).variants[0]).toMatchObject({ width: 300, height: 300 });
  });

  test('the encoder ends when a picture takes too much work, and starts again for the next', async () => {
    const encoder = limited({ processorMs: 1 });
    for (let time = 0; time < 2; time += 1) {
      const error = await encoder.encode(await avif(2_000), {}).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnreadableImageError);
      expect(error).toMatchObject({ message: 'The picture takes too much work' });
    }
  });

  test('the encoder takes one picture at a time and refuses those without room by 503 and Retry-After', async () => {
    const encoder = limited({ maxWaiting: 3 });
    const bytes = await flat(200, 200).png().toBuffer();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => encoder.encode(bytes, {})));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(6);
    for (const reason of refused) expect(reason).toMatchObject({ status: 503, retryAfterS: 5 });
    expect(await encoder.encode(bytes, {})).toHaveProperty('hash');
  });

  test('the encoder takes one picture of each user at a time', async () => {
    const encoder = limited({});
    const bytes = await flat(200, 200).png().toBuffer();
    const results = await Promise.allSettled([1, 1, 2, 1].map((userId) => encoder.encode(bytes, {}, userId)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(results[1]).toMatchObject({ reason: { status: 503, code: 'pictures_busy', retryAfterS: 5 } });
    expect(await encoder.encode(bytes, {}, 1)).toHaveProperty('hash');
    expect(encoder.begun()).toBe(3);
  });
});

test.each([
  ['an AVIF of sixteen megapixels', () => avif(4_000)],
  ['a PNG of twenty-six megapixels', () => flat(5_200, 5_000).png().toBuffer()],
])('%s is refused by its header, with the reason [R25]', async (_what, make) => {
  const bytes = await make();
  expect(bytes.length).toBeLessThan(400_000);
  const user = await newUser(server);
  const response = await user.post('/api/payments', {
    purpose: 'submit',
    draft: await newDraft({ imageUrl: urlOf(bytes) }),
  });
  expect(response).toMatchObject({
    status: 413,
    body: { error: 'too_many_pixels', message: expect.stringContaining('25 megapixels'), field: 'imageUrl' },
  });
});

test('each of thirty simultaneous pictures is accepted or gets a Retry-After, and the database keeps working', async () => {
  const bytes = await avif(1_200);
  // Each session stays below its limit of concurrent requests.
  const users = [await newUser(server), await newUser(server), await newUser(server)];
  const uploads = Promise.all(
    users.flatMap((user) =>
      Array.from({ length: 10 }, () => user.patch(`/api/users/${user.id}`, { avatarUrl: urlOf(bytes) })),
    ),
  );
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const responses = await uploads;
  const seen = new Set(responses.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`));
  expect(seen).toEqual(new Set(['200 null', '503 5']));
});

async function decoded(): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const count = parseMetrics(await response.text()).get('snapswipe_pictures_decoded_total');
  if (count === undefined) throw new Error('the metrics lack the number of decoded pictures');
  return count;
}

async function newPicture(): Promise<string> {
  const raw = { width: 60, height: 80, channels: 3 } as const;
  const bytes = await sharp(randomBytes(60 * 80 * 3), { raw })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

const setAvatar = (user: TestUser, avatarUrl: string) => user.patch<User>(`/api/users/${user.id}`, { avatarUrl });

describe('known uploads [R25]', () => {
  test('a known avatar is shown without being decoded, whatever its label says [R25 R29]', async () => {
    const [first, second] = [await newUser(server), await newUser(server)];
    const picture = await newPicture();
    const before = await decoded();
    const { body } = await setAvatar(first, picture);
    expect(await decoded()).toBe(before + 1);
    for (const url of [picture, picture.replace('image/png', 'image/webp')])
      expect(await setAvatar(second, url)).toMatchObject({ status: 200, body: { avatarUrl: body.avatarUrl } });
    expect(await decoded()).toBe(before + 1);
  });

  test('a known picture is not decoded again for an order, unless only its square avatar is stored [R25]', async () => {
    const [first, second] = [await newUser(server), await newUser(server)];
    const imageUrl = await newPicture();
    await setAvatar(first, imageUrl);
    const before = await decoded();
    expect((await prepareSubmit(first, await newDraft({ imageUrl }))).status).toBe(201);
    expect(await decoded()).toBe(before + 1);
    expect((await prepareSubmit(second, await newDraft({ imageUrl }))).status).toBe(201);
    expect(await decoded()).toBe(before + 1);
    const drafts = await server.services.db
      .selectFrom('payments')
      .select('draft')
      .where('userId', 'in', [first.id, second.id])
      .execute();
    const hashes = new Set(drafts.map(({ draft }) => JSON.stringify((draft as { imageHash: string }).imageHash)));
    expect(hashes.size).toBe(1);
  });
});

test('a sixth unpaid order is refused before its picture is decoded, and stores none [R66]', async () => {
  const user = await newUser(server);
  const known = await newPicture();
  for (let at = 0; at < 5; at += 1) await prepareSubmit(user, await newDraft({ imageUrl: known }));
  const stored = () => db.selectFrom('images').select('hash').execute();
  const before = [await decoded(), await stored()];
  expect(await prepareSubmit(user, await newDraft({ imageUrl: await newPicture() }))).toMatchObject({
    status: 429,
    body: { error: 'too_many_drafts' },
  });
  expect([await decoded(), await stored()]).toEqual(before);
});

test('known and unreadable pictures count as uploads of the hour, and beyond the limit no picture is decoded [R66]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const known = await newPicture();
  const broken = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1').toString('base64')}`;
  for (let at = 0; at < PICTURE_UPLOADS_PER_HOUR; at += 1) {
    const isBroken = at % 3 === 2;
    expect((await setAvatar(user, isBroken ? broken : known)).status).toBe(isBroken ? 400 : 200);
  }
  const before = await decoded();
  const rejected = {
    status: 429,
    body: {
      error: 'too_many_pictures',
      message: expect.stringMatching(
        /^You have uploaded several pictures within the last hour. Try again in \d+ minutes/,
      ),
    },
  };
  for (const picture of [known, await newPicture(), broken])
    expect(await setAvatar(user, picture)).toMatchObject({
      ...rejected,
      body: { ...rejected.body, field: 'avatarUrl' },
    });
  expect(await prepareSubmit(user, await newDraft({ imageUrl: known }))).toMatchObject(rejected);
  expect(await decoded()).toBe(before);
  expect((await user.patch(`/api/users/${user.id}`, { telegramLink: 'https://t.me/reef' })).status).toBe(200);
  expect((await setAvatar(other, known)).status).toBe(200);
});

const rowsOf = (userId: number) => db.selectFrom('payments').select('id').where('userId', '=', userId).execute();

test('a user has at most five unpaid orders, even by simultaneous requests, and twenty in a day', async () => {
  const user = await newUser(server);
  // Their picture is known: of new ones a user has one decoded at a time.
  await prepareSubmit(await newUser(server), await newDraft());
  const drafts = await Promise.all(Array.from({ length: 8 }, () => newDraft()));
  const responses = await Promise.all(drafts.map((draft) => prepareSubmit(user, draft)));
  const counts = responses.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(counts).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
  expect(await rowsOf(user.id)).toHaveLength(5);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('600');
  expect(refused?.body).toMatchObject({
    message: 'You have several unpaid orders. Pay for one of them, or wait an hour.',
  });

  expect((await prepareSubmit(await newUser(server), await newDraft())).status).toBe(201);

  let accepted = 5;
  for (let round = 0; round < 6; round += 1) {
    await db
      .updateTable('payments')
      .set({ state: 'expired', expiresAt: sql`now()` })
      .where('userId', '=', user.id)
      .execute();
    for (let at = 0; at < 5; at += 1) {
      const { status } = await prepareSubmit(user, await newDraft());
      if (status === 201) accepted += 1;
    }
  }
  expect(accepted).toBe(20);

  const ageAll = (age: string) =>
    sql`UPDATE payments SET created_at = now() - ${age}::interval WHERE user_id = ${user.id}`.execute(db);
  await ageAll('23 hours 55 minutes');
  expect(await prepareSubmit(user, await newDraft())).toMatchObject({
    status: 429,
    body: { error: 'too_many_drafts', message: expect.stringContaining('Try again tomorrow') },
  });
  await ageAll('24 hours');
  expect((await prepareSubmit(user, await newDraft())).status).toBe(201);
});
