import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storeImage } from '#db/images.ts';
import { LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { screenNames, SCREENS } from '#shared/site/screens.ts';
import { buildApp } from '../app.ts';
import { contentSecurityPolicy } from '#server/kit/http/security-headers.ts';
import { PUBLIC_ORIGIN, createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { makeFiles } from '#lab/testing/built-page.ts';

const server = await createTestApp();
const { db } = server.services;
const ORIGIN = PUBLIC_ORIGIN;
const SHELL = readFileSync('web/index.html', 'utf8');
/** Words that no page contains. */
const BUILT_WORKER = 'self.isBuiltWorker = true;';

const distDir = await makeFiles({
  'index.html': SHELL,
  '.worker/service-worker.js': BUILT_WORKER,
  'assets/page-1.js': '{}',
  'assets/page-1.js.map': '{}',
  '.ssr/first-paint.map': '{}',
  '.ssr/first-paint.css': '{}',
});
const app = await buildApp(server.services, { distDir });
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const tags = (html: string, key: string) =>
  [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)]
    .filter((m) => m[1] === key)
    .map((m) => m[2]);
const occurrences = (text: string, part: string) => text.split(part).length - 1;

async function listed(options: Parameters<typeof insertProject>[1] & { slug: string; description?: string }) {
  const { slug, description, ...rest } = options;
  const id = await insertProject(db, rest);
  await setProject(db, id, { slug, ...(description ? { description } : {}) });
  return id;
}

describe('files of the built page', () => {
  test('serves the files of the built page, but not their sources', async () => {
    expect((await get('/assets/page-1.js')).statusCode).toBe(200);
    for (const url of [
      '/assets/page-1.js.map',
      '/.ssr/first-paint.map',
      '/.ssr/first-paint.css',
      '/assets/../.ssr/first-paint.css',
    ]) {
      const { statusCode, body } = await get(url);
      expect([url, statusCode, body === '{}']).toEqual([url, 404, false]);
    }
  });

  test('serves the shell only as a page: every HTML response has the policy', async () => {
    const raw = await get('/index.html');
    expect([raw.statusCode, raw.headers.location]).toEqual([302, '/']);
    for (const url of ['/', '/leaderboard', '/nothing-here', '/index.html/', '/%E0%A4%A']) {
      const { headers } = await get(url);
      const isHtml = String(headers['content-type']).includes('text/html');
      expect([url, isHtml, String(headers['content-security-policy']).includes("default-src 'self'")]).toEqual([
        url,
        true,
        true,
      ]);
    }
  });
});

describe('an upgrade', () => {
  let releasesDir: string;
  let running: FastifyInstance;
  /** A release whose one script is named by its number. */
  async function addRelease(number: number): Promise<string> {
    const folder = path.join(releasesDir, `2026110${number}-000000-abcdef0${number}`);
    await mkdir(path.join(folder, 'assets'), { recursive: true });
    await writeFile(path.join(folder, 'index.html'), SHELL);
    await writeFile(path.join(folder, `assets/page-${number}.js`), `release ${number};`);
    for (const file of ['page.js.map', '.hidden.js']) await writeFile(path.join(folder, 'assets', file), 'secret');
    await writeFile(path.join(folder, `robots-${number}.md`), 'not an asset');
    return folder;
  }
  const bodyOf = async (url: string) => {
    const { statusCode, body } = await running.inject({ url });
    return statusCode === 200 ? body : statusCode;
  };
  beforeAll(async () => {
    releasesDir = await mkdtemp(path.join(tmpdir(), 'snapswipe-releases-'));
    await addRelease(1);
    running = await buildApp(server.services, { distDir: await addRelease(2), releasesDir });
  });
  afterAll(async () => {
    await running.close();
    await rm(releasesDir, { recursive: true });
  });

  test('the files of a new release are served as soon as it is built, because another process may already send its pages', async () => {
    const later = vi.spyOn(performance, 'now');
    const nowMs = performance.now();
    expect(await bodyOf('/assets/page-3.js')).toBe(404);
    await addRelease(3);
    later.mockReturnValue(nowMs + 60_000);
    expect(await bodyOf('/assets/page-3.js')).toBe('release 3;');
    later.mockRestore();
  });

  test.each(['/assets/page.js.map', '/assets/.hidden.js', '/assets/..%2Findex.html', '/robots-1.md'])(
    'no other file of another release is served: %s',
    async (url) => {
      const { statusCode, body } = await running.inject({ url });
      expect(statusCode).toBe(404);
      expect(body).not.toMatch(/secret|not an asset/);
    },
  );
});

describe('the service worker', () => {
  test('the service worker is the built one with its release in front, revalidated at every visit', async () => {
    const { body, headers } = await get('/service-worker.js');
    expect(body).toMatch(/^self\.RELEASE=\{"id":"[0-9a-f]{16}","files":\[.*\]\};\n/);
    expect(body.split('\n').slice(1)).toEqual([BUILT_WORKER]);
    expect(headers['content-type']).toContain('text/javascript');
    expect(headers['cache-control']).toBe('no-cache');
    expect((await get('/.worker/service-worker.js')).body).not.toContain(BUILT_WORKER);
  });

  test('the service worker stores a shell with the policy of every page, the public settings, and no user data', async () => {
    const cookie = 'snapswipe_session=made-up; __Host-snapswipe_session=made-up';
    const { body, headers } = await get('/shell.html', { cookie });
    expect(headers['content-security-policy']).toBe((await get('/')).headers['content-security-policy']);
    expect(String(headers['content-security-policy'])).toContain("worker-src 'self'");
    expect(body).toContain('<meta name="offline-shell"');
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).toContain('id="site-config">{"network":"localnet"');
    expect(body).not.toContain('id="page-data"');
    expect(body).toBe((await get('/shell.html')).body);
  });

  test('the service worker removes itself with everything it stored where it is switched off', async () => {
    const config = { ...server.services.config, serviceWorker: false };
    const off = await buildApp({ ...server.services, config }, { distDir });
    const { body } = await off.inject('/service-worker.js');
    await off.close();
    const deleted: string[] = [];
    let hasLeft = false;
    const listeners = new Map<string, (event: object) => void>();
    const self = {
      addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
      skipWaiting: () => undefined,
      registration: { unregister: async () => (hasLeft = true) },
    };
    const caches = {
      keys: async () => ['snapswipe-release-1', 'snapswipe-pictures', 'other'],
      delete: async (name: string) => deleted.push(name),
    };
    runInNewContext(body, { self, caches });
    listeners.get('install')?.({});
    await new Promise((resolve) => listeners.get('activate')?.({ waitUntil: resolve }));
    expect([deleted, hasLeft]).toEqual([['snapswipe-release-1', 'snapswipe-pictures'], true]);
  });
});

describe('pages and their status [S2.1 S2.9]', () => {
  test.each(['/', '/leaderboard', '/subscription', '/submit-project', '/profile', '/portfolio', '/admin'])(
    '%s gets 200 with one title and one description',
    async (url) => {
      const { statusCode, body, headers } = await get(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toContain('text/html');
      expect(occurrences(body, '<title>')).toBe(1);
      expect(occurrences(body, 'name="description"')).toBe(1);
      expect(body).toContain('<script type="application/json" id="site-config">{"network":"localnet"');
    },
  );

  test.each([
    ['/Portfolio', '/portfolio'],
    ['/LEADERBOARD?sort=verified&x=%41', '/leaderboard?sort=verified&x=%41'],
    ['/leaderboard/', '/leaderboard'],
    ['/Supply//', '/supply'],
    ['/%6Ceaderboard', '/leaderboard'],
    ['/Projects/one-page', '/projects/one-page'],
    ['/projects/ONE-page/?from=mail', '/projects/one-page?from=mail'],
    ['/projects/%6Fne-page', '/projects/one-page'],
  ])('%s redirects temporarily to the one address of its page', async (url, location) => {
    if (!(await db.selectFrom('projects').select('id').where('slug', '=', 'one-page').executeTakeFirst()))
      await listed({ slug: 'one-page' });
    const response = await get(url);
    expect([response.statusCode, response.headers.location]).toEqual([302, location]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await get(location)).statusCode).toBe(200);
  });

  test.each([
    '/nowhere',
    '/NOWHERE/',
    '/%70rojects%2Fone-page',
    '/projects/one%2Fpage',
    '//leaderboard',
    '/projects',
    '/projects/none',
    '/projects/a/b',
    '/projects/%00',
    '/%E0%A4%A',
    '/%',
    '/projects/%E0%A4%A?x=%E0',
    '/projects/%E2%82%AC',
    '//',
    '//evil.example',
  ])('%s is a real 404 with the page for it', async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).toContain('<title>404 Page Not Found · Snapswipe</title>');
    expect(tags(body, 'robots')).toEqual(['noindex']);
  });

  test("a hidden project's page is a 404, and an expired one's exists", async () => {
    const hidden = await insertProject(db, { hidden: true });
    const expired = await listed({ slug: 'old-reef', expiresInDays: -5 });
    expect((await get(`/projects/${hidden}`)).statusCode).toBe(404);
    expect((await get('/projects/old-reef')).statusCode).toBe(200);
    expect((await get(`/projects/${expired}`)).headers.location).toBe('/projects/old-reef');
  });

  test('an id, an old slug and capitals redirect to the one address [R23]', async () => {
    const id = await listed({ slug: 'one-address' });
    await db.insertInto('projectSlugs').values({ slug: 'former-name', projectId: id }).execute();
    for (const ref of [id, 'former-name', 'One-Address']) {
      const response = await get(`/projects/${ref}`);
      expect([response.statusCode, response.headers.location]).toEqual([302, '/projects/one-address']);
    }
  });

  test('misses under /api, /images, /assets and /og are data, and so is a write', async () => {
    for (const url of ['/api/none', '/assets/none.js', '/og/none.jpg']) {
      expect((await get(url)).json()).toMatchObject({ error: 'not_found' });
    }
    expect((await app.inject({ method: 'POST', url: '/', headers: { origin: ORIGIN } })).statusCode).toBe(404);
  });
});

describe('tags for search engines and shared links', () => {
  test('every page has its address and picture for link previews, and leaves no tag empty', async () => {
    await listed({ slug: 'sea-glass', name: 'Sea Glass' });
    const paths = screenNames.map((screen) => SCREENS[screen].path.replace(':ref', 'sea-glass'));
    for (const path of [...paths, '/nothing-here']) {
      const { body } = await get(path);
      for (const key of ['og:title', 'twitter:title', 'og:image:alt'])
        expect(tags(body, key), `${key} of ${path}`).toEqual([expect.stringMatching(/\S/)]);
      expect(body, `empty tag of ${path}`).not.toMatch(/<meta[^>]* content="\s*"|<title>\s*</);
    }
    expect(tags((await get('/')).body, 'og:title')).toEqual(['Snapswipe · Swipe. Vote. Earn.']);
  });

  test('a project has title, description, canonical, percentage, votes and its own picture', async () => {
    await listed({
      slug: 'walrus-bank',
      name: 'Walrus Bank',
      description: 'Banking for walruses',
      bullish: 18,
      bearish: 7,
    });
    const { body } = await get('/projects/walrus-bank');
    expect(body).toContain('<title>Walrus Bank · Snapswipe</title>');
    expect(body).toContain(`<link rel="canonical" href="${ORIGIN}/projects/walrus-bank">`);
    for (const key of ['description', 'og:description', 'twitter:description'])
      expect(tags(body, key)).toEqual(['Banking for walruses']);
    for (const key of ['og:title', 'twitter:title', 'og:image:alt'])
      expect(tags(body, key)).toEqual(['Walrus Bank: 72% bullish of 25 votes, none verified']);
    expect(tags(body, 'og:url')).toEqual([`${ORIGIN}/projects/walrus-bank`]);
    expect(tags(body, 'twitter:card')).toEqual(['summary_large_image']);
    expect(tags(body, 'og:image')).toEqual(tags(body, 'twitter:image'));
    expect(tags(body, 'og:image')[0]).toMatch(
      /^https:\/\/snapswipe\.test\/og\/projects\/walrus-bank\.jpg\?v=[0-9a-f]{16}$/,
    );
  });

  test('a project named "><script> breaks nothing, and neither does $&', async () => {
    const name = `"><script>alert('1')</script>$&`;
    await listed({ slug: 'evil', name, description: `</title><img src=x onerror=alert(1)>$'`, bullish: 1 });
    const { body } = await get('/projects/evil');
    expect(occurrences(body, '<script')).toBe(occurrences(SHELL, '<script') + 3);
    expect(occurrences(body, '<title>')).toBe(1);
    expect(body).not.toContain('<img');
    expect(body).toContain(
      '<title>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;$&amp; · Snapswipe</title>',
    );
    expect(tags(body, 'og:title')).toHaveLength(1);
    expect((await get('/og/projects/evil.jpg')).statusCode).toBe(200);
  });

  test('a project states a rating for machines with ten verified votes, and none with nine [R93]', async () => {
    const about = async (slug: string) =>
      JSON.parse(
        /<script type="application\/ld\+json">([^<]*)</.exec((await get(`/projects/${slug}`)).body)?.[1] ?? '{}',
      ) as object;
    const nine = await listed({ slug: 'nine', name: 'Nine', bullish: 9 });
    const ten = await listed({ slug: 'ten', name: 'Ten', bullish: 7, bearish: 3 });
    await sql`INSERT INTO verified_stats (project_id, bullish, bearish) VALUES (${nine}, 9, 0), (${ten}, 7, 3)
      ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish`.execute(db);
    await server.allNotified();
    expect(await about('nine')).toMatchObject({ '@type': 'Organization', name: 'Nine' });
    expect(await about('nine')).not.toHaveProperty('aggregateRating');
    expect(await about('ten')).toMatchObject({
      aggregateRating: { ratingValue: 70, bestRating: 100, ratingCount: 10 },
    });
  });

  test('JSON-LD calls a paid listing without a proof a work, and gives it no links [R93]', async () => {
    const id = await listed({ slug: 'paid', name: 'Paid' });
    await setProject(db, id, { transactionHash: '1'.repeat(44), website: 'https://frog.example' });
    await server.allNotified();
    const { body } = await get('/projects/paid');
    const about = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(body)?.[1] ?? '{}') as object;
    expect(about).toMatchObject({ '@type': 'CreativeWork', name: 'Paid' });
    for (const link of ['url', 'sameAs']) expect(about).not.toHaveProperty(link);
  });

  test('the two inline scripts of the page are allowed by their hashes, and nothing else', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self'( 'sha256-[A-Za-z0-9+/]{43}='){2};/);
  });

  test('on https a page loads nothing over http; on http it may', async () => {
    const upgrade = '; upgrade-insecure-requests';
    expect(String((await get('/')).headers['content-security-policy']).endsWith(upgrade)).toBe(true);
    const config = { ...server.services.config, publicOrigin: 'http://localhost:3000' };
    expect(contentSecurityPolicy({ ...server.services, config }, [])).not.toContain(upgrade);
  });
});

describe("a page's first data in its HTML", () => {
  const firstData = (html: string): unknown => {
    const text = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(html)?.[1];
    return text === undefined ? null : JSON.parse(text);
  };
  const api = async (url: string): Promise<unknown> => (await get(url)).json();

  test('a page contains its project or the beginning of the leaderboard, as the API returns them [S7.14 S2.33]', async () => {
    await listed({ slug: 'swift', bullish: 3, bearish: 1 });
    expect(firstData((await get('/projects/swift')).body)).toEqual({ project: await api('/api/projects/swift') });
    // The open API has addresses for other sites.
    const rows = await get(`/api/v1/projects?limit=${LEADERBOARD_FIRST_ROWS}`);
    expect(firstData((await get('/leaderboard?from=mail')).body)).toEqual({
      leaderboard: {
        sort: 'bullish',
        rows: JSON.parse(rows.body.replaceAll(`"${ORIGIN}/images/`, '"/images/')) as unknown,
      },
    });
  });

  test('the leaderboard is drawn in the order of its address, under one canonical address [S2.37 R44]', async () => {
    await listed({ slug: 'old-and-loved', bullish: 9 });
    await listed({ slug: 'newest' });
    const canonical = `<link rel="canonical" href="${ORIGIN}/leaderboard">`;
    for (const [address, sort] of [
      ['/leaderboard?sort=new', 'new'],
      ['/leaderboard?sort=new&from=mail', 'new'],
      ['/leaderboard?sort=bullish', 'bullish'],
      ['/leaderboard?sort=best', 'bullish'],
      ['/leaderboard?sort=', 'bullish'],
      ['/leaderboard?sort=trending&sort=new', 'trending'],
    ] as const) {
      const { body, headers } = await get(address);
      const rows = await get(`/api/v1/projects?sort=${sort}&limit=${LEADERBOARD_FIRST_ROWS}`);
      const { leaderboard } = firstData(body) as { leaderboard: { sort: string; rows: { id: number }[] } };
      expect(leaderboard.sort).toBe(sort);
      expect(leaderboard.rows.map(({ id }) => id)).toEqual(rows.json<{ id: number }[]>().map(({ id }) => id));
      expect(occurrences(body, canonical)).toBe(1);
      expect(headers['cache-control']).toBe('no-cache');
    }
  });

  test('the landing page contains three active projects that a visitor can vote on [R76]', async () => {
    await listed({ slug: 'out-of-guests-sight', hidden: true });
    const { guestCards } = firstData((await get('/')).body) as { guestCards: Project[] };
    expect(new Set(guestCards.map(({ id }) => id)).size).toBe(3);
    const active = (await api('/api/projects')) as Project[];
    for (const card of guestCards) expect(active).toContainEqual(card);
  });

  test('a page contains no data where nothing is read, with a filter, and without a project', async () => {
    await listed({ slug: 'out-of-sight', hidden: true });
    for (const url of ['/profile', '/leaderboard?category=NFT', '/projects/out-of-sight', '/projects/none'])
      expect(firstData((await get(url)).body)).toBeNull();
  });

  test('a description cannot end the script that contains it', async () => {
    const description = '</script><script>alert(1)</script><!--';
    await listed({ slug: 'breaker', description });
    const { body } = await get('/projects/breaker');
    expect(body).not.toContain('<script>alert');
    expect(firstData(body)).toMatchObject({ project: { description } });
  });
});

describe('share cards', () => {
  const card = (slug: string, headers = {}) => get(`/og/projects/${slug}.jpg`, headers);

  test('a project has a picture of 1200 x 630 that shows its own image', async () => {
    const id = await listed({ slug: 'red-card', name: 'Red', bullish: 3, bearish: 1 });
    const red = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const { hash } = await storeImage(db, red);
    await setProject(db, id, { imageHash: hash });
    const response = await card('red-card');
    expect(response.headers['content-type']).toBe('image/jpeg');
    expect(response.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630, format: 'jpeg' });
    const middle = await sharp(response.rawPayload)
      .extract({ left: 270, top: 310, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(middle[0]).toBeGreaterThan(240);
    expect(middle[1]).toBeLessThan(15);
  });

  test("a vote changes the share card's address in the tags", async () => {
    const id = await listed({ slug: 'moving', bullish: 3 });
    const before = tags((await get('/projects/moving')).body, 'og:image');
    await db.updateTable('projectStats').set({ bearish: 1 }).where('projectId', '=', id).execute();
    expect(tags((await get('/projects/moving')).body, 'og:image')).not.toEqual(before);
  });

  test.each([
    ['emoji and scripts without glyphs', '🦑 漢字'],
    ['right to left', 'שלום'],
    ['60 wide letters without a space', 'W'.repeat(60)],
    ['markup', '<span size="90000">&amp;</span>'],
  ])('a share card can draw %s in a name', async (_what, name) => {
    const slug = `name-${Buffer.from(name).toString('hex').slice(0, 20)}`;
    await listed({ slug, name });
    const response = await card(slug);
    expect(response.statusCode).toBe(200);
    expect((await sharp(response.rawPayload).metadata()).width).toBe(1200);
  });

  test('/ and /leaderboard have share cards, too; hidden and unknown projects get 404', async () => {
    for (const url of ['/og/site.jpg', '/og/leaderboard.jpg'])
      expect((await sharp((await get(url)).rawPayload).metadata()).width).toBe(1200);
    const id = await listed({ slug: 'gone', hidden: true });
    for (const slug of ['gone', 'never', String(id), '%2e%2e']) expect((await card(slug)).statusCode).toBe(404);
  });
});

test('sitemap.xml names the screens to be found and every project that can be seen, robots.txt names the sitemap', async () => {
  await listed({ slug: 'in-the-map' });
  await listed({ slug: 'not-in-the-map', hidden: true });
  const map = await get('/sitemap.xml');
  expect(map.headers['content-type']).toContain('application/xml');
  for (const url of ['/', '/leaderboard', '/projects/in-the-map'])
    expect(map.body).toContain(`<url><loc>${ORIGIN}${url}</loc></url>`);
  for (const hidden of ['not-in-the-map', '/subscription']) expect(map.body).not.toContain(hidden);
  const robots = await get('/robots.txt');
  expect(robots.headers['content-type']).toContain('text/plain');
  expect(robots.body).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
});
