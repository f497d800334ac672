import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { UnreadableImageError } from '#db/encode-image.ts';
import { createEncoder, type Encoder } from '#server/listings/images/encoder.ts';
import { createTestApp } from '../../testing/app.ts';
import { newUser } from '../../testing/client.ts';
import { newDraft } from '../../testing/drafts.ts';

const server = await createTestApp();

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 10, g: 120, b: 200 } } });
/** Few bytes and many pixels. */
const avif = (side: number) => flat(side, side).avif({ effort: 0 }).toBuffer();
const urlOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

describe('the process that decodes', () => {
  const encoders: Encoder[] = [];
  const limited = (limits: Parameters<typeof createEncoder>[0]) => {
    const encoder = createEncoder(limits);
    encoders.push(encoder);
    return encoder;
  };
  afterAll(() => encoders.forEach((encoder) => encoder.close()));

  test('the encoder ends at its memory limit; the picture is refused, and the next one is encoded', async () => {
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

  test('encodes one at a time and asks those to come back for whom there is no room', async () => {
    const encoder = limited({ maxWaiting: 3 });
    const bytes = await flat(200, 200).png().toBuffer();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => encoder.encode(bytes, {})));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(6);
    for (const reason of refused) expect(reason).toMatchObject({ status: 503, retryAfterS: 5 });
    expect(await encoder.encode(bytes, {})).toHaveProperty('hash');
  });

  test('takes one picture of a user at a time, beside those of others', async () => {
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
  ['a PNG of twenty-five megapixels', () => flat(5_000, 5_000).png().toBuffer()],
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
    body: { error: 'too_many_pixels', message: expect.stringContaining('24 megapixels'), field: 'imageUrl' },
  });
});

test('each of thirty simultaneous pictures is accepted or gets a Retry-After, none fails, and the database keeps working', async () => {
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
