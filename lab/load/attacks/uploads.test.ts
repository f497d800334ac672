import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { PICTURE_UPLOADS_PER_HOUR } from '#shared/constants.ts';
import type { User } from '#shared/contract/types.ts';
import { createTestApp } from '../../testing/app.ts';
import { newUser, type TestUser } from '../../testing/client.ts';
import { newDraft, prepareSubmit } from '../../testing/drafts.ts';
import { parseMetrics } from '../../testing/metrics.ts';

const METRICS_TOKEN = 'only-for-prometheus';
const server = await createTestApp({ env: { METRICS_TOKEN } });

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

describe('an upload that is known by its bytes is not decoded again [R25]', () => {
  test('shows a known avatar without decoding it, whatever its label says [R25 R29]', async () => {
    const [first, second] = [await newUser(server), await newUser(server)];
    const picture = await newPicture();
    const before = await decoded();
    const { body } = await setAvatar(first, picture);
    expect(await decoded()).toBe(before + 1);
    for (const url of [picture, picture.replace('image/png', 'image/webp')])
      expect(await setAvatar(second, url)).toMatchObject({ status: 200, body: { avatarUrl: body.avatarUrl } });
    expect(await decoded()).toBe(before + 1);
  });

  test('takes a known picture of an order without decoding it, apart from the square one of a profile [R25]', async () => {
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

test('rejects a sixth unpaid order before its picture is decoded [R66]', async () => {
  const user = await newUser(server);
  const known = await newPicture();
  for (let at = 0; at < 5; at += 1) await prepareSubmit(user, await newDraft({ imageUrl: known }));
  const before = await decoded();
  expect(await prepareSubmit(user, await newDraft({ imageUrl: await newPicture() }))).toMatchObject({
    status: 429,
    body: { error: 'too_many_drafts' },
  });
  expect(await decoded()).toBe(before);
});

test('a user may upload a number of pictures an hour, known and unreadable ones included, then none is decoded [R66]', async () => {
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
