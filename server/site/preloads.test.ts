import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { readPreloads } from './preloads.ts';
import { makeFiles } from '#lab/testing/built-page.ts';

const MANIFEST = {
  'app/main.tsx': { file: 'assets/main.js', imports: ['_kit.js'] },
  '_kit.js': { file: 'assets/kit.js' },
  'app/pages.ts': { file: 'assets/pages.js' },
  'components/session/with-queries.tsx': { file: 'assets/with-queries.js' },
  'pages/landing/landing-page.tsx': {
    file: 'assets/landing.js',
    css: ['assets/landing.css'],
    imports: ['app/main.tsx', '_icon.js'],
  },
  'pages/landing/guest-deck.tsx': { file: 'assets/guest-deck.js', imports: ['_deck.js'] },
  '_deck.js': { file: 'assets/deck.js', css: ['assets/deck.css'] },
  'pages/home/home-page.tsx': { file: 'assets/home.js', imports: ['app/main.tsx'] },
  'pages/project/project-page.tsx': { file: 'assets/project.js' },
  '_icon.js': { file: 'assets/icon.js' },
};
const SHELL = '<script src="/assets/main.js"></script><link href="/assets/kit.js">';

const dist = await makeFiles({ '.vite/manifest.json': JSON.stringify(MANIFEST) });

const hrefs = (tags: string) =>
  [...tags.matchAll(/rel="(\w+)" crossorigin href="([^"]+)"/g)].map(([, rel, href]) => `${rel} ${href}`);

test('a visitor at / gets the landing page, its deck and their style sheets, and no file that the page names itself [S2.1]', async () => {
  const preloads = await readPreloads(dist, SHELL);
  expect(hrefs(preloads('/?ref=x'))).toEqual([
    'modulepreload /assets/landing.js',
    'stylesheet /assets/landing.css',
    'modulepreload /assets/icon.js',
    'modulepreload /assets/guest-deck.js',
    'modulepreload /assets/deck.js',
    'stylesheet /assets/deck.css',
  ]);
});

test('a browser with a session gets the voting home [S2.1]', async () => {
  const preloads = await readPreloads(dist, SHELL);
  expect(hrefs(preloads('/', true))).toEqual([
    'modulepreload /assets/home.js',
    'modulepreload /assets/pages.js',
    'modulepreload /assets/with-queries.js',
  ]);
});

test('a project page gets its own files, an unknown path none [S2.6]', async () => {
  const preloads = await readPreloads(dist, SHELL);
  expect(hrefs(preloads('/projects/"><script>'))).toEqual([
    'modulepreload /assets/project.js',
    'modulepreload /assets/pages.js',
    'modulepreload /assets/with-queries.js',
  ]);
  expect(preloads('/nowhere')).toBe('');
  expect(preloads('/projects/a/b')).toBe('');
});

test('a build without a manifest is served without preloads', async () => {
  const preloads = await readPreloads(tmpdir(), SHELL);
  expect(preloads('/')).toBe('');
});
