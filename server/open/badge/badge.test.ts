import { normalizeStructTag } from '@mysten/sui/utils';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject, slugOf } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { readDoors } from '#record/verify/doors.ts';
import type { Share } from '#record/verify/shown.ts';
import { readSite } from '#record/verify/site.ts';

const server = await createTestApp();
const { db, events } = server.services;
const site = new Client(server.url);
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

interface Listed {
  name?: string;
  bullish?: number;
  bearish?: number;
  verified?: [bullish: number, bearish: number];
  expiresInDays?: number;
  hidden?: boolean;
}

/** A project with these votes; returns its id and slug. */
async function list({ verified, ...options }: Listed = {}): Promise<{ id: number; slug: string }> {
  const id = await insertProject(db, options);
  if (verified) {
    const [bullish, bearish] = verified;
    await db.insertInto('verifiedStats').values({ projectId: id, bullish, bearish }).execute();
  }
  const slug = await slugOf(db, id);
  return { id, slug };
}

type Text = { text: string };
const badge = (slug: string, query = '', headers: Record<string, string> = BROWSER) =>
  site.get<Text>(`/badge/${slug}.svg${query}`, headers);
const embed = (slug: string, query = '', headers: Record<string, string> = BROWSER) =>
  site.get<Text>(`/embed/${slug}${query}`, headers);

const TODAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

describe('badges and embedded cards', () => {
  test.each(['badge', 'embed'])(
    '%s shows share, interval, verified votes, and their day [R52 R44 R94]',
    async (kind) => {
      const { slug } = await list({ name: 'Tidepool', bullish: 38, bearish: 5, verified: [7, 2] });
      const { status, body } = await (kind === 'badge' ? badge : embed)(slug);
      expect(status).toBe(200);
      const texts = [
        'Tidepool',
        '88%',
        'bullish',
        'of 43 votes, likely 76–95%',
        '78% of 9 verified votes · first figures tomorrow',
      ];
      for (const text of texts) expect(body.text).toContain(text);
      await db.insertInto('closedDays').values({ day: '2100-11-27', until: '2100-11-28' }).execute();
      const { slug: other } = await list({ bullish: 38, bearish: 5, verified: [7, 2] });
      expect((await (kind === 'badge' ? badge : embed)(other)).body.text).toContain(' · as of 27 Nov 2100');
      await db.deleteFrom('closedDays').execute();
      expect(body.text).not.toContain('xpired');
    },
  );

  test.each(['badge', 'embed'])('%s puts the share of ten verified votes first [R44]', async (kind) => {
    const { slug } = await list({ name: 'Tidepool', bullish: 38, bearish: 5, verified: [5, 5] });
    const { body } = await (kind === 'badge' ? badge : embed)(slug);
    expect(body.text).toMatch(kind === 'badge' ? />50%<\/text>/ : /<p class="s yellow">50% <small>bullish/);
    expect(body.text).toContain(
      'Tidepool on Snapswipe: 50% bullish of 10 verified votes, likely 24–76%, 88% of all 43',
    );
    expect(body.text).toMatch(/>of 10 verified votes, likely 24–76%<.*88% of all 43 votes · /);
  });

  test.each(['badge', 'embed'])('%s shows that a listing has expired, and when [R52]', async (kind) => {
    const { slug } = await list({ bullish: 9, bearish: 1, expiresInDays: -3 });
    const { body } = await (kind === 'badge' ? badge : embed)(slug);
    expect(body.text).toContain(`Listing expired on ${TODAY.format(Date.now() - 3 * 86_400_000)}`);
    expect(body.text).toContain('>expired<');
    expect(body.text).not.toContain('>bullish<');
  });

  test.each(['badge', 'embed'])('%s shows no share without votes [R52]', async (kind) => {
    const { slug } = await list();
    const { body } = await (kind === 'badge' ? badge : embed)(slug);
    expect(body.text).toContain('No votes yet');
    expect(body.text).not.toContain('0%</');
  });
});

test.each<[verified: [number, number], share: Share]>([
  [[5, 5], { percentage: 50, votes: 10, isVerified: true }],
  [[5, 4], { percentage: 88, votes: 43, isVerified: false }],
])(
  'badge, embedded card, look-up, slug and tool state %j verified votes as the open API does [R44 R52 R62]',
  async (verified, share) => {
    const { id } = await list({ bullish: 38, bearish: 5, verified });
    const coinType = normalizeStructTag(`0x${id}::coin::COIN`);
    await setProject(db, id, { coinType, coinSource: 'catalogue' });
    await server.allNotified();
    const open = readSite({ baseUrl: `${server.url}/` });
    const page = await open.project(id);
    if (!page) throw new Error('it is listed');
    const [bullish, bearish] = verified;
    const figures = { bullish: 38, bearish: 5, verified: { bullish, bearish }, now: page.now };
    // Guest cards are drawn from all projects.
    const doors = (await readDoors(open, [page], () => undefined)).filter(({ where }) => !where.startsWith('guest'));
    expect(Object.fromEntries(doors.map(({ where, id: _id, ...shown }) => [where, shown]))).toEqual({
      [`look-up of ${coinType}`]: { figures },
      [`line of the look-up of ${coinType}`]: { share },
      [`/api/projects/${id}`]: { figures },
      [`/api/v1/projects/${page.slug}`]: { figures },
      [`badge of project ${id}`]: { share },
      [`embedded card of project ${id}`]: { share },
      [`tool for machines of project ${id}`]: { figures },
    });
  },
);

test('a cached badge shows that its listing has ended [R52]', async () => {
  const { id, slug } = await list({ bullish: 1 });
  await sql`UPDATE projects SET expires_at = now() + interval '400 milliseconds' WHERE id = ${id}`.execute(db);
  await server.allNotified();
  expect((await badge(slug)).status).toBe(200);
  await expect.poll(async () => (await badge(slug)).body.text, { timeout: 20_000 }).toContain('>expired<');
});

test('hidden and unknown projects have neither badge nor card, immediately after they are hidden [R52]', async () => {
  const [hidden, shown] = [await list({ hidden: true }), await list()];
  for (const slug of [hidden.slug, 'no-such-project', '999999999', 'x'.repeat(81), '..%2f..%2fetc', '%00', 'a.b']) {
    const missing = [await badge(slug), await embed(slug)];
    expect(missing.map(({ status }) => [slug, status])).toEqual([
      [slug, 404],
      [slug, 404],
    ]);
    for (const { headers } of missing) expect(headers.get('cache-control')).toBe('no-store');
  }
  expect((await embed('no-such-project')).body.text).toContain('not listed on Snapswipe');
  expect([(await badge(shown.slug)).status, (await embed(shown.slug)).status]).toEqual([200, 200]);
  await setProject(db, shown.id, { hiddenAt: sql`now()`, hiddenReason: 'spam' });
  await server.allNotified();
  expect([(await badge(shown.slug)).status, (await embed(shown.slug)).status]).toEqual([404, 404]);
});

test('a former slug, an id, and other spellings redirect to the present slug, with the theme, and temporarily [R52 R23]', async () => {
  const { id, slug } = await list();
  const renamed = `${slug}-now`;
  await setProject(db, id, { slug: renamed });
  await server.allNotified();
  for (const ref of [slug, String(id), renamed.toUpperCase()]) {
    const [one, other] = [await badge(ref, '?theme=dark&x=1'), await embed(ref)];
    expect([one.status, one.headers.get('location')]).toEqual([302, `/badge/${renamed}.svg?theme=dark`]);
    expect([other.status, other.headers.get('location')]).toEqual([302, `/embed/${renamed}`]);
    // Without it, a browser refuses the redirect of a picture on another site.
    expect(one.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  }
});

test("themes are light, dark, and the reader's preference for a missing or unknown one [R52]", async () => {
  const { slug } = await list();
  const prefers = 'prefers-color-scheme';
  for (const ask of [badge, embed]) {
    const [light, dark, ...auto] = await Promise.all(
      ['?theme=light', '?theme=dark', '', '?theme=</style>', '?theme=dark&theme=light'].map((query) =>
        ask(slug, query),
      ),
    );
    expect(light?.body.text).toContain('--surface:#fffefb');
    expect(dark?.body.text).toContain('--surface:#0d1a29');
    for (const { body } of auto) expect(body.text).toContain(prefers);
    for (const fixed of [light, dark]) expect(fixed?.body.text).not.toContain(prefers);
    expect(new Set(auto.map(({ body }) => body.text)).size).toBe(1);
  }
});

describe('use on other sites', () => {
  test('a badge may be shown and read anywhere, is cached for five minutes, and revalidated by its tag [R52]', async () => {
    const { slug } = await list({ bullish: 2 });
    const { headers } = await badge(slug);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // Nothing in it runs when it is opened as a document.
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const again = await badge(slug, '', { ...BROWSER, 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=300']);
  });

  test('any site may frame an embedded card, and nothing in it runs, sends, or loads from elsewhere [R52]', async () => {
    const { slug } = await list({ bullish: 2 });
    const { headers, body } = await embed(slug);
    expect(headers.get('x-frame-options')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; img-src 'self'; style-src 'sha256-\S+'; .*frame-ancestors \*$/);
    expect(policy).toContain("form-action 'none'");
    expect(body.text).not.toMatch(/<script|<form|<button|<input|<iframe|javascript:|\son\w+=/i);
    expect([...body.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      '/favicon.svg',
      `/projects/${slug}?from=embed`,
      expect.stringMatching(/^\/images\/[0-9a-f]+\.webp$/),
    ]);
    expect(body.text).toContain('target="_blank" rel="noopener"');
  });

  test('badge and card ignore sessions: with a cookie the response is the same, and none is set [R52]', async () => {
    const { slug } = await list({ bullish: 3 });
    for (const ask of [badge, embed]) {
      const [without, withCookie] = [
        await ask(slug),
        await ask(slug, '', { ...BROWSER, cookie: `${server.app.sessionCookie}=${'a'.repeat(43)}` }),
      ];
      expect(withCookie.body.text).toBe(without.body.text);
      expect(withCookie.headers.getSetCookie()).toEqual([]);
      expect(withCookie.headers.get('vary') ?? '').not.toMatch(/cookie/i);
    }
  });
});

/** Whether a text is valid XML for a browser: every tag is closed, and nothing is unescaped. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  const rest = svg.replaceAll(
    /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)(\/?)>/gi,
    (_, end: string, tag: string, _more, self: string) => {
      if (end) return open.pop() === tag ? '' : '<';
      if (!self) open.push(tag);
      return '';
    },
  );
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!(amp|lt|gt|quot|#39);)/.test(rest);
}

describe('names as text', () => {
  const evil = '<svg onload=alert(1)>"\'&]]></text>';
  test('markup in a name and a description is shown, not run [R52]', async () => {
    const { id, slug } = await list({ name: evil });
    await setProject(db, id, { description: `</p><script>alert(1)</script>${evil}` });
    await server.allNotified();
    const [{ body: one }, { body: other }] = [await badge(slug), await embed(slug)];
    expect(one.text).toContain('&lt;svg onload=alert(1)&gt;&quot;&#39;&amp;]]&gt;');
    expect(isWellFormed(one.text)).toBe(true);
    expect(other.text).not.toContain('<script');
    expect(other.text).not.toContain('<svg onload');
  });

  test('a name of any sixty characters gives a badge that can be drawn, and stays within its place [R52]', async () => {
    const { id, slug } = await list({ bullish: 123_456, bearish: 654_321, verified: [100_000, 200_000] });
    const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((name) => !name.includes('\0'));
    const wide = [
      'W'.repeat(60),
      '漢'.repeat(60),
      '👩‍👩‍👧‍👦'.repeat(8),
      'i'.repeat(60),
      'ـ'.repeat(60),
      'A\u0301'.repeat(30),
    ];
    for (const name of [...wide, ...fc.sample(names, 40)]) {
      await setProject(db, id, { name: name.toWellFormed() });
      await server.allNotified();
      const { body } = await badge(slug);
      expect([name, isWellFormed(body.text)]).toEqual([name, true]);
      for (const [, width = ''] of body.text.matchAll(/textLength="([\d.]+)"/g))
        expect(Number(width)).toBeLessThan(282);
    }
  });
});

test('views are counted where people see them: not by bots, not on our own pages, once in ten minutes [R50 R52]', async () => {
  const { id, slug } = await list();
  const from = (address: string, more = {}) => ({ ...BROWSER, 'x-forwarded-for': address, ...more });
  await badge(slug, '', from('203.0.113.1'));
  await badge(slug, '?theme=dark', from('203.0.113.1'));
  await badge(slug, '', from('203.0.113.2', { 'sec-fetch-site': 'cross-site' }));
  await badge(slug, '', from('203.0.113.3', { 'sec-fetch-site': 'same-origin' }));
  await badge(slug, '', from('203.0.113.4', { 'user-agent': 'github-camo (4b76e509)' }));
  await embed(slug, '', from('203.0.113.1'));
  await events.flush();
  const rows = await db
    .selectFrom('projectEventsDays')
    .select(['source', 'count'])
    .where('projectId', '=', id)
    .orderBy('source')
    .execute();
  expect(rows).toEqual([
    { source: 'badge', count: 2 },
    { source: 'embed', count: 1 },
  ]);
});
