import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findStyleLeaks } from './css-isolation.ts';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/**
 * A folder with these files, such as `{ 'pages/home/deck.module.css': '…' }`; modules get matching types unless given.
 */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-css-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const CARD_TYPES = 'export const card: string;\n';
/** Findings in one module that defines `.card`. */
const leaksOf = async (css: string) =>
  findStyleLeaks(await folderOf({ 'pages/a.module.css': css, 'pages/a.module.d.css.ts': CARD_TYPES }));

test('the stylesheets of the product are isolated', async () => {
  expect(await findStyleLeaks()).toEqual([]);
});

test('accepts a module whose every rule is layered and styles its own elements', async () => {
  const css = `@layer components {
    .card { animation: deal 1s; &:hover { color: red } }
    [data-theme='dark'] .card::before, :is(.card, .card:focus-visible) { color: red }
    @media (width >= 10rem) { .card { color: red } }
    @starting-style { .card { opacity: 0 } }
  }
  @keyframes deal { to { opacity: 0 } }`;
  expect(await leaksOf(css)).toEqual([]);
});

describe('refused stylesheets', () => {
  test('rejects two page stylesheets with the same classes and animations', async () => {
    const landing = '.deck-card { animation: deal 9s infinite } @keyframes reward { to { opacity: 0 } }';
    const deck = '@layer components { .deck-card { inset: 0 } } @keyframes reward { to { opacity: 1 } }';
    const leaks = await findStyleLeaks(
      await folderOf({ 'pages/home/deck.css': deck, 'pages/landing/landing.css': landing }),
    );
    expect(leaks).toEqual([
      'pages/home/deck.css: a stylesheet outside of web/styles must be a *.module.css',
      'pages/landing/landing.css: a stylesheet outside of web/styles must be a *.module.css',
      'pages/landing/landing.css: "deck-card" is already defined in pages/home/deck.css',
      'pages/landing/landing.css: "reward" is already defined in pages/home/deck.css',
    ]);
  });

  test('rejects a global class, even a nested one, and an animation that two global sheets define', async () => {
    const files = {
      'styles/app.css':
        '@utility rise { animation: rise 1s } @keyframes rise { to { opacity: 0 } } html { .dark & { color: red } }',
      'styles/more.css': '@layer base { p:not(.plain) { color: red } } @keyframes rise { to { opacity: 1 } }',
    };
    expect(await findStyleLeaks(await folderOf(files))).toEqual([
      'styles/app.css:1: a global class; write a CSS module or a @utility',
      'styles/more.css:1: a global class; write a CSS module or a @utility',
      'styles/more.css: "rise" is already defined in styles/app.css',
    ]);
  });

  test.each([
    ['a rule outside of a layer', '.card { color: red }', 'a rule outside of @layer components'],
    ['a rule in another layer', '@layer base { .card { color: red } }', 'a rule outside of @layer components'],
    ['an element of any page', '@layer components { .card {} h2 { color: red } }', 'styles elements without a class'],
    [
      'an element inside of a card',
      '@layer components { .card { p { color: red } } }',
      'styles elements without a class',
    ],
    [
      'what is not a card',
      '@layer components { .card {} p:not(.card) { color: red } }',
      'styles elements without a class',
    ],
    ['a way out of the module', '@layer components { .card :global(.deck) { color: red } }', 'a selector with :global'],
  ])('rejects in a module: %s', async (_, css, leak) => {
    expect(await leaksOf(css)).toEqual(expect.arrayContaining([expect.stringContaining(leak)]));
  });
});
