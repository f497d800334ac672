import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { SESSION_COOKIE } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { type PageData, numberStyle } from '#shared/site/first-paint.ts';
import { buildApp } from '../app.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { makeFiles } from '#lab/testing/built-page.ts';

const server = await createTestApp();

const STARTER = '/* loads what it is told */';
const CODE = '<script type="module" crossorigin src="/assets/index-1.js"></script>';
const SHELL = `<html><head><!--page-meta--><title>x</title><!--/page-meta--><script data-start="">${STARTER}</script>${CODE}
<link rel="modulepreload" crossorigin href="/assets/base-2.js"><link rel="stylesheet" crossorigin href="/assets/a.css"></head>
<body><div id="root"></div></body></html>`;
const MANIFEST = { 'pages/landing/landing-page.tsx': { file: 'assets/landing-3.js', css: ['assets/landing-4.css'] } };
/** Replaces the built web/app/first-paint.tsx. */
const RENDERER = `export function renderFirstPaint({ path, site, data }) {
  if (path === '/supply') throw new Error('broken');
  const isShell = path !== '/' && !data.leaderboard;
  if (isShell && !data.session) return null;
  const own = data.home ? data.home.feed.map(({ name }) => name).join() + data.home.votingStatus.votesRemaining : '';
  return { isShell, html: '<link rel="preload" as="image" href="/images/1.webp"/><h1>' + path + ' ' + site.network + own + '</h1>' };
}`;

const distDir = await makeFiles({
  'index.html': SHELL,
  '.vite/manifest.json': JSON.stringify(MANIFEST),
  '.ssr/package.json': '{"type":"module"}',
  '.ssr/first-paint.js': RENDERER,
});
const app = await buildApp(server.services, { distDir });
afterAll(() => app.close());

const page = async (url: string, headers: Record<string, string> = {}) => (await app.inject({ url, headers })).body;
const EMPTY = '<div id="root"></div>';

test('a visitor gets the page drawn, with its pictures first and its code loaded afterwards [S2.1]', async () => {
  const html = await page('/');
  expect(html).toContain(`<div id="root" data-numbers="${numberStyle()}" data-drawn-for=""><h1>/ localnet</h1></div>`);
  expect(html.indexOf('<link rel="preload" as="image" href="/images/1.webp"/>')).toBeLessThan(html.indexOf('</head>'));
  expect(html).toContain('<script data-start="/assets/index-1.js /assets/base-2.js /assets/landing-3.js">');
  expect(html).not.toContain('type="module"');
  expect(html).not.toContain('modulepreload');
  // The first stylesheet decides the order of the layers: a page's own one before it would lose against the reset.
  expect([...html.matchAll(/rel="stylesheet" crossorigin href="([^"]+)"/g)].map(([, file]) => file)).toEqual([
    '/assets/a.css',
    '/assets/landing-4.css',
  ]);
  expect(await page('/leaderboard')).toContain('<h1>/leaderboard localnet</h1>');
});

/** Data in the HTML as the page's code reads it. */
const dataOf = (html: string): PageData =>
  JSON.parse(/id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as PageData;

test('a session gets its home drawn, with user, counters, votes left and first cards in the HTML [S2.11 R4]', async () => {
  const user = await newUser(server);
  await insertProjects(server.services.db, 12);
  const feed = await user.get<Project[]>(`/api/projects?userId=${user.id}`);
  const { body: html, headers } = await app.inject({ url: '/', headers: { cookie: user.cookie } });
  const { session, home } = dataOf(html);
  expect(session?.user).toMatchObject({ id: user.id, walletAddress: user.address });
  expect(session?.stats.totalVotes).toBe(0);
  const { body: daily } = await user.get(`/api/users/${user.id}/daily-deck`);
  const votingStatus = expect.objectContaining({ votesRemaining: 25 });
  expect(home).toEqual({ feed: feed.body.slice(0, 10), votingStatus, daily });
  const names = feed.body.slice(0, 10).map(({ name }) => name);
  expect(html).toContain(`data-drawn-for="${user.id}"><h1>/ localnet${names.join()}25</h1></div>`);
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', vary: expect.stringMatching(/cookie/i) });

  const [first] = feed.body;
  await user.post('/api/votes', { userId: user.id, projectId: first?.id, voteType: 'bullish' });
  const after = dataOf(await page('/', { cookie: user.cookie }));
  expect(after.home?.feed.map(({ id }) => id)).not.toContain(first?.id);
  expect(after.session?.stats).toMatchObject({ totalVotes: 1, tokenBalance: 10 });
});

test("a project's page contains the session's vote on it [R48]", async () => {
  const user = await newUser(server);
  const id = await insertProject(server.services.db);
  const { slug } = (await user.get<Project>(`/api/projects/${id}`)).body;
  const pageOf = async (cookie: string) => dataOf(await page(`/projects/${slug}`, { cookie }));
  expect((await pageOf(user.cookie)).ownVote).toMatchObject({ vote: null, canVote: 'yes', result: null });
  await user.post('/api/votes', { userId: user.id, projectId: id, voteType: 'bearish' });
  expect((await pageOf(user.cookie)).ownVote).toMatchObject({
    vote: { voteType: 'bearish' },
    canVote: 'voted',
    result: { bullishCount: 0, bearishCount: 1 },
  });
  expect((await pageOf('')).ownVote).toBeUndefined();
});

test('a link to a card shows visitors the project itself, and only a project [R48]', async () => {
  const visit = async (url: string, cookie = '') => (await app.inject({ url, headers: { cookie } })).headers.location;
  expect(await visit('/?card=Some-Project')).toBe('/projects/some-project');
  for (const made of ['//evil.example', '..%2Fadmin', '', 'a%20b', 'x'.repeat(81)])
    expect(await visit(`/?card=${made}`)).toBeUndefined();
  const user = await newUser(server);
  expect(await visit('/?card=some-project', user.cookie)).toBeUndefined();
});

test("one user's data is never in the page of another user or of a visitor [R3]", async () => {
  const [one, other] = [await newUser(server), await newUser(server)];
  const pages = await Promise.all([one.cookie, other.cookie, ''].map((cookie) => page('/', { cookie })));
  expect(pages.map((html) => dataOf(html).session?.user.id)).toEqual([one.id, other.id, undefined]);
  expect(pages[1]).not.toContain(one.address);
  for (const html of [pages[2], await page('/leaderboard')]) {
    expect(html).not.toContain(one.address);
    expect(html).not.toContain('"session"');
  }
});

test('on every other screen a session gets at least the shell, which the browser then fills', async () => {
  const user = await newUser(server);
  for (const url of ['/portfolio', '/profile', '/submit-project', '/leaderboard?category=NFT', '/nowhere']) {
    const html = await page(url, { cookie: user.cookie });
    expect(html).toContain(`data-drawn-for="${user.id}" data-shell><h1>`);
    expect(dataOf(html).session?.user.id).toBe(user.id);
    expect(dataOf(html).home).toBeUndefined();
  }
  expect(await page('/leaderboard', { cookie: user.cookie })).toContain(`data-drawn-for="${user.id}"><h1>`);
});

test('a request whose cookie has no session gets HTML that is not stored, for the browser to complete [S4.2]', async () => {
  const ended = await newUser(server);
  const { cookie } = ended;
  await ended.post('/api/auth/logout');
  for (const value of [cookie, `__Host-${SESSION_COOKIE}=whatever`]) {
    const { body: html, headers } = await app.inject({ url: '/', headers: { cookie: value } });
    expect(html).toContain(EMPTY);
    expect(html).toContain(CODE);
    expect(html).not.toContain('page-data');
    expect(headers['cache-control']).toBe('private, no-store');
  }
});

test('a page that is not drawn on the server, or cannot be, is still sent', async () => {
  for (const url of ['/profile', '/leaderboard?category=NFT', '/nowhere', '/supply']) {
    const html = await page(url);
    expect(html).toContain(EMPTY);
    expect(html).toContain(CODE);
  }
});

test('the starter is allowed by its hash with any list of files, and the renderer cannot be downloaded', async () => {
  const { headers } = await app.inject({ url: '/' });
  const hash = createHash('sha256').update(STARTER).digest('base64');
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
  const file = await app.inject({ url: '/.ssr/first-paint.js' });
  expect(file.body).not.toContain('renderFirstPaint');
  expect(file.statusCode).toBe(404);
});
