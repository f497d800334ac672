import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { storeImage } from '#db/images.ts';
import { makeFiles } from '#lab/testing/built-page.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertUser, setProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertVoteAt, logKey, publishAll } from '#lab/testing/record.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { buildApp } from '#server/app.ts';
import { isKnown } from './if-none-match.ts';

const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { db } = server.services;
const distDir = await makeFiles({
  'index.html': readFileSync('web/index.html', 'utf8'),
  'assets/page-1.js': '{}',
  'trust/verify.mjs': '// verifier',
});
const site = await buildApp(server.services, { distDir });
const origin = await site.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => site.close());

const COIN = `0x${'7'.repeat(64)}::coin::COIN`;
const project = await insertProject(db, { bullish: 3 });
const png = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#268' } })
  .png()
  .toBuffer();
const { hash: imageHash } = await storeImage(db, png);
await setProject(db, project, { slug: 'copied', coinType: COIN, imageHash });
await insertVoteAt(db, { userId: await insertUser(db), projectId: project, at: 'now' });
const size = await publishAll(server.services);
const visitor = new Client(origin);
const user = await newUser({ url: origin });

const RESOURCES = [
  '/',
  '/leaderboard',
  '/trust',
  '/projects/copied',
  '/privacy',
  '/terms',
  '/trust/record',
  '/trust/record.md',
  '/trust/standing',
  '/trust/verify.mjs',
  '/assets/page-1.js',
  '/robots.txt',
  '/sitemap.xml',
  '/feed.xml',
  '/badge/copied.svg',
  '/embed/copied',
  `/images/${imageHash}.webp`,
  '/og/projects/copied.jpg',
  '/og/site.jpg',
  '/og/leaderboard.jpg',
  '/log/checkpoint',
  `/log/tile/0/000.p/${size}`,
  `/log/tile/entries/000.p/${size}`,
  '/api/openapi.json',
  `/api/v1/lookup?coin=${COIN}`,
  '/healthz',
];

/** Made for one request, without a tag: only `*` means what they have. */
const UNTAGGED = new Set(['/projects/copied', '/robots.txt', '/log/checkpoint', '/healthz']);

const reads = allEndpoints()
  .filter(([, { method }]) => method === 'GET')
  .map(([, { path }]) => path.replace('{id}', String(project)));

async function expectKnown(client: Client, path: string): Promise<string | null> {
  const first = await client.get(path);
  if (first.status !== 200) return null;
  const etag = first.headers.get('etag');
  const opaque = etag?.replace(/^W\//, '').slice(1, -1);
  // The framework's compression adds to Vary where there is a body.
  const repeated = ['cache-control', 'access-control-allow-origin', ...(etag === null ? [] : ['vary'])];
  const known = ['*', ' * '];
  if (etag !== null)
    known.push(
      etag,
      `"${opaque}"`,
      `W/"${opaque}"`,
      `"other, one" ,\t,W/"${opaque}"`,
      `"${opaque}","other"`,
      `W/"${opaque}-gzip"`,
      `"${opaque}-br"`,
    );
  for (const header of known) {
    const { status, headers, body } = await client.get(path, { 'if-none-match': header });
    expect([path, header, status, headers.get('etag'), body]).toEqual([path, header, 304, etag, { text: '' }]);
    for (const name of repeated) expect([path, name, headers.get(name)]).toEqual([path, name, first.headers.get(name)]);
  }
  for (const header of ['"other"', `${opaque}`, `"${opaque}`, `*, "${opaque}"`, `W/ "${opaque}"`, `"x${opaque}"`, ''])
    expect([path, header, (await client.get(path, { 'if-none-match': header })).status]).toEqual([path, header, 200]);
  return etag;
}

test.each(RESOURCES)('responds with 304 to a client that has %s, however it names its copy', async (path) => {
  const etag = await expectKnown(visitor, path);
  expect(UNTAGGED.has(path)).toBe(etag === null);
});

test('responds with 304 to a client that has the response of a read of the contract', async () => {
  const tagged: string[] = [];
  for (const path of reads) if ((await expectKnown(user, path)) !== null) tagged.push(path);
  expect(tagged.length).toBeGreaterThan(15);
});

test('compares tags for any list that a client or a proxy writes', () => {
  const tag = fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ019-_/.,;:!#')), minLength: 1 });
  const space = fc.constantFrom('', ' ', '\t', ' \t ');
  const entry = fc.record({ tag, weak: fc.constantFrom('', 'W/'), before: space, after: space });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.constantFrom('', 'W/'), tag, (entries, weak, other) => {
      const header = entries.map((each) => `${each.before}${each.weak}"${each.tag}"${each.after}`).join(',');
      const known = (etag: string) => isKnown({ headers: { 'if-none-match': header } }, etag);
      for (const each of entries) expect(known(`${weak}"${each.tag}"`)).toBe(true);
      expect(known(`${weak}"${other}"`)).toBe(
        entries.some((each) => [other, `${other}-gzip`, `${other}-br`].includes(each.tag)),
      );
    }),
  );
});
