import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SESSION_COOKIE } from '#shared/constants.ts';
import { numberStyle } from '#shared/first-paint.ts';
import { buildApp } from '../app.ts';
import { createTestApp } from '../testing/app.ts';

const server = await createTestApp();

const STARTER = '/* loads what it is told */';
const CODE = '<script type="module" crossorigin src="/assets/index-1.js"></script>';
const SHELL = `<html><head><!--page-meta--><title>x</title><!--/page-meta--><script data-start="">${STARTER}</script>${CODE}
<link rel="modulepreload" crossorigin href="/assets/base-2.js"><link rel="stylesheet" crossorigin href="/assets/a.css"></head>
<body><div id="root"></div></body></html>`;
/** Stands for the built web/first-paint.tsx. */
const RENDERER = `export function renderFirstPaint({ path, site, data }) {
  if (path === '/supply') throw new Error('broken');
  if (path !== '/' && !data.leaderboard) return null;
  return '<link rel="preload" as="image" href="/images/1.webp"/><h1>' + path + ' ' + site.network + '</h1>';
}`;

let app: FastifyInstance;
let distDir: string;
beforeAll(async () => {
  distDir = await mkdtemp(path.join(tmpdir(), 'snapswipe-paint-'));
  await mkdir(path.join(distDir, '.ssr'));
  await writeFile(path.join(distDir, 'index.html'), SHELL);
  await writeFile(path.join(distDir, '.ssr/package.json'), '{"type":"module"}');
  await writeFile(path.join(distDir, '.ssr/first-paint.js'), RENDERER);
  app = await buildApp(server.services, { distDir });
});
afterAll(async () => {
  await app.close();
  await rm(distDir, { recursive: true });
});

const page = async (url: string, headers: Record<string, string> = {}) => (await app.inject({ url, headers })).body;
const EMPTY = '<div id="root"></div>';

test('[S2.1] a visitor gets the page drawn, its pictures first and its code named for when it is on the screen', async () => {
  const html = await page('/');
  expect(html).toContain(`<div id="root" data-numbers="${numberStyle()}"><h1>/ localnet</h1></div>`);
  expect(html.indexOf('<link rel="preload" as="image" href="/images/1.webp"/>')).toBeLessThan(html.indexOf('</head>'));
  expect(html).toContain('<script data-start="/assets/index-1.js /assets/base-2.js">');
  expect(html).not.toContain('type="module"');
  expect(html).not.toContain('modulepreload');
  expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/a.css">');
  expect(await page('/leaderboard')).toContain('<h1>/leaderboard localnet</h1>');
});

test('[S3.1] who comes with a session is left to the browser, which knows them', async () => {
  const html = await page('/', { cookie: `${SESSION_COOKIE}=whatever` });
  expect(html).toContain(EMPTY);
  expect(html).toContain(CODE);
});

test('a page that is not drawn on the server, or cannot be, is there all the same', async () => {
  for (const url of ['/profile', '/leaderboard?order=confidence', '/nowhere', '/supply']) {
    const html = await page(url);
    expect(html).toContain(EMPTY);
    expect(html).toContain(CODE);
  }
});

test('the starter is allowed by its hash whatever it is told to load, and the renderer is not for download', async () => {
  const { headers } = await app.inject({ url: '/' });
  const hash = createHash('sha256').update(STARTER).digest('base64');
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
  const file = await app.inject({ url: '/.ssr/first-paint.js' });
  expect(file.body).not.toContain('renderFirstPaint');
  expect(file.statusCode).toBe(404);
});

test('a page is compressed as the API is', async () => {
  const { headers } = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding', 'cache-control': 'no-cache' });
});
