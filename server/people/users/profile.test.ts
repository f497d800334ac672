import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { User } from '#shared/contract/types.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';

const server = await createTestApp();

type Changed = User & { error: string; message: string; field?: string };
const patch = (user: TestUser, body: unknown) => user.patch<Changed>(`/api/users/${user.id}`, body);
const put = (user: TestUser, body: unknown) => user.send<Changed>('PUT', `/api/users/${user.id}`, body);
const own = async (user: TestUser) => (await user.get<User>(`/api/users/${user.id}`)).body;

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#43c6ff' } })
    .png()
    .toBuffer();

let serial = 0;
const freshName = () => `voter_${(serial += 1)}`;

describe('changes the fields sent, and leaves the others unchanged [R29 S7.9]', () => {
  test.each([
    ['PATCH', patch],
    ['PUT', put],
  ])('%s changes the sent fields of a profile, and no others', async (_method, change) => {
    const user = await newUser(server);
    const username = freshName();
    const whole = {
      username,
      twitterLink: 'https://twitter.com/snaps',
      telegramLink: 'https://t.me/snaps',
      discordLink: 'https://discord.gg/snaps',
    };
    const first = await change(user, { ...whole, username: `  ${username} ` });
    expect(first).toMatchObject({ status: 200, body: whole });
    const second = await change(user, { telegramLink: 'https://t.me/other' });
    expect(second.body).toMatchObject({ ...whole, telegramLink: 'https://t.me/other' });
    const third = await change(user, { twitterLink: null, telegramLink: '' });
    expect(third.body).toMatchObject({ ...whole, twitterLink: null, telegramLink: null });
    expect((await change(user, {})).body).toEqual(third.body);
    expect(await own(user)).toEqual(third.body);
  });

  test('one bad field rejects the whole update', async () => {
    const user = await newUser(server);
    const response = await patch(user, { username: freshName(), twitterLink: 'javascript:alert(1)' });
    expect(response.status).toBe(400);
    expect(await own(user)).toMatchObject({ username: null, twitterLink: null });
  });
});

test.each([
  ['username', '<b>bold</b>', 'Only letters, digits and _ are allowed'],
  ['twitterLink', 'https://x.com@evil.example/', 'https://x.com/'],
  ['telegramLink', 'data:text/html,<script>alert(1)</script>', 'https://t.me/'],
  ['discordLink', 'https://example.com/', 'https://discord.gg/'],
])('the profile field %s with %j is rejected by its name [R29]', async (field, value, message) => {
  const user = await newUser(server);
  const rejected = { error: 'invalid_field', field, message: expect.stringContaining(message) };
  expect(await patch(user, { [field]: value })).toMatchObject({ status: 400, body: rejected });
  expect((await own(user)).username).toBeNull();
});

describe('usernames are unique without case [R29]', () => {
  test('a taken username gets 409 with its field, and a user may change the case of their own', async () => {
    const [first, second] = [await newUser(server), await newUser(server)];
    const name = freshName();
    await patch(first, { username: name });
    const response = await patch(second, { username: name.toUpperCase(), telegramLink: 'https://t.me/x' });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ field: 'username', message: 'This username is already taken' });
    expect(await own(second)).toMatchObject({ username: null, telegramLink: null });
    expect((await patch(first, { username: name.toUpperCase() })).body.username).toBe(name.toUpperCase());
  });

  test('one of ten users who want a username at once gets it', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => newUser(server)));
    const name = freshName();
    const responses = await Promise.all(
      users.map((user, i) => patch(user, { username: i % 2 ? name.toUpperCase() : name })),
    );
    expect(responses.map((response) => response.status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});

describe('avatars [R29 R25 S7.9]', () => {
  test('an avatar is made square, has its own address, is kept when that is sent back, and cleared by null', async () => {
    const user = await newUser(server);
    const { body } = await patch(user, { avatarUrl: dataUrl(await picture(400, 300)) });
    expect(body.avatarUrl).toMatch(/^\/images\/[0-9a-f]+\.webp$/);
    const bytes = await (await fetch(server.url + body.avatarUrl)).arrayBuffer();
    expect(await sharp(Buffer.from(bytes)).metadata()).toMatchObject({ width: 300, height: 300, format: 'webp' });
    expect((await put(user, body)).body).toEqual(body);
    expect((await patch(user, { username: freshName() })).body.avatarUrl).toBe(body.avatarUrl);
    expect((await patch(user, { avatarUrl: null })).body.avatarUrl).toBeNull();
  });

  test('an avatar of more than 10 MB is refused with its field', async () => {
    const response = await patch(await newUser(server), { avatarUrl: dataUrl(Buffer.alloc(10.2 * 1024 * 1024)) });
    expect(response).toMatchObject({
      status: 413,
      body: { field: 'avatarUrl', message: 'Images can be at most 10 MB' },
    });
  });
});
