/** The core journey, from the landing page by clicking, in the engines that Playwright's own browsers of this machine do not cover. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { VOTE_LOCK_MS } from '#shared/constants.ts';
import { SIGN_IN_401 } from '../base.ts';
import { startHeldCode } from '../held-code.ts';
import { setting } from '../setting.ts';
import { uniqueText } from '../unique.ts';
import type { Browser } from './browser.ts';
import { startFirefox } from './firefox.ts';
import { Screen } from './screen.ts';
import { startWebKit } from './webkit.ts';

const TOP = '[aria-label="Project cards"] [data-live] [data-depth="0"]';
const LANDED = '[data-reveal]';

const ENGINES = [
  { engine: 'Firefox', start: startFirefox },
  { engine: 'WebKit', start: startWebKit },
];
const wanted = new Set(process.env.ENGINES?.split(','));
const LOOKS = [
  { look: 'a light desktop', width: 1366, height: 768, isDark: false },
  { look: 'a dark phone', width: 400, height: 844, isDark: true },
];

async function signIn(screen: Screen): Promise<void> {
  await screen.press('header button', '^Connect Wallet$');
  await screen.press('[role="dialog"] button, dialog button', 'Sandbox Wallet');
  await screen.press('[role="dialog"] button, dialog button', '^Approve$');
  await screen.press('[role="dialog"] button, dialog button', '^Sign in$');
  await screen.press('[role="dialog"] button, dialog button', '^Sign$');
  await screen.see(TOP);
}

async function vote(screen: Screen, act: () => Promise<void>, words: RegExp): Promise<void> {
  await screen.see(TOP);
  const before = await screen.attribute(TOP, 'data-project');
  await screen.clearNotes();
  await act();
  await screen.noted(words);
  expect(await screen.attribute(TOP, 'data-project')).not.toBe(before);
}

async function inMenu(screen: Screen, item: string): Promise<void> {
  await screen.press('header button[aria-haspopup="menu"][title^="0x"]');
  await screen.press('[role="menuitem"]', `^${item}$`);
}

/** On a site whose code comes later (R87). */
async function swipeEarly(screen: Screen): Promise<void> {
  const { browser } = screen;
  const site = await startHeldCode();
  const expectInPage = (expression: string) =>
    expect.poll(() => browser.evaluate<boolean>(expression).catch(() => false)).toBe(true);
  try {
    // Neither `open` nor `see`: the page is still loading.
    await browser.evaluate(`location.assign(${JSON.stringify(site.url)})`);
    await expectInPage(`getComputedStyle(document.querySelector('[data-depth="0"]')).position === 'absolute'`);
    const { x, y } = await browser.evaluate<{ x: number; y: number }>(
      `(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 4 }))(document.querySelector('[data-depth="0"]').getBoundingClientRect())`,
    );
    await browser.mouse(Array.from({ length: 11 }, (_, step) => ({ x: x + 18 * step, y })));
    await expectInPage(`document.documentElement.dataset.early === 'bullish'`);
    site.release();
    await expectInPage(`/Bullish on /.test(document.querySelector('[aria-label="Cards to try"]').textContent)`);
  } finally {
    await site.stop();
  }
}

async function voteInAllWays(screen: Screen): Promise<void> {
  const { browser } = screen;
  await screen.note(LANDED);
  await vote(screen, () => screen.drag(TOP, 180), /^Bullish on /);
  await vote(screen, () => screen.drag(TOP, -180), /^Bearish on /);
  await vote(screen, () => browser.press(['ArrowRight']), /^Bullish on /);
  await screen.see(TOP);
  const before = await screen.attribute(TOP, 'data-project');
  await screen.clearNotes();
  // One call: between two of them a slow browser could let the undo pass.
  await browser.press(['ArrowLeft', 'z'], VOTE_LOCK_MS);
  await screen.noted(/^Bearish on /);
  await screen.gone(LANDED);
  expect(await screen.attribute(TOP, 'data-project'), 'the vote is taken back').toBe(before);
  await screen.button('^Skip$');
  await expect.poll(() => screen.attribute(TOP, 'data-project')).not.toBe(before);
  await vote(screen, () => screen.button('^Bearish$'), /^Bearish on /);
  await screen.noted(/voted like you|First vote on this project/);
}

async function lookAround(screen: Screen): Promise<void> {
  const { browser } = screen;
  await screen.press(`${TOP} h2 a`);
  await screen.path(/^\/projects\//);
  await screen.press('main button', '^Bullish$');
  await screen.see('main section div', '^(You voted bullish|Bullish since)');
  await browser.back();
  await screen.see(TOP);
  await inMenu(screen, 'Leaderboard');
  await screen.path(/^\/leaderboard$/);
  await screen.see('main li, main article', 'vote');
  const row = 'main li:nth-child(7) a[href^="/projects/"]';
  await screen.see(row);
  const scrolledTo = await browser.evaluate<number>('scrollY');
  expect(scrolledTo).toBeGreaterThan(200);
  await screen.press(row);
  await screen.path(/^\/projects\//);
  await browser.back();
  await screen.path(/^\/leaderboard$/);
  await expect.poll(async () => Math.abs((await browser.evaluate<number>('scrollY')) - scrolledTo)).toBeLessThan(2);
}

async function checkVotes(screen: Screen): Promise<void> {
  await inMenu(screen, 'Portfolio');
  await screen.press('main button', '^Check my votes$');
  await screen.see('main li span', '\\d votes? enters? the public record after 00:00 UTC');
}

async function submit(screen: Screen, picture: string): Promise<void> {
  const name = `Reef ${uniqueText()}`;
  await inMenu(screen, 'Submit Project');
  await screen.fill('[data-field="name"]', name);
  await screen.fill('[data-field="description"]', 'A reef where memes grow into coral');
  await screen.fill('[data-field="twitterHandle"]', 'https://x.com/coralreef');
  await screen.browser.evaluate(
    `(() => { const select = document.querySelector('[data-field="category"]'); select.focus(); select.selectedIndex = 1;
      select.dispatchEvent(new Event('input', { bubbles: true })); select.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`,
  );
  await screen.browser.upload('input[type="file"]', picture);
  await screen.button('^Pay 15 SUI');
  await screen.press('[role="dialog"] button, dialog button', '^Sign$');
  await screen.see('[role="dialog"] h2', '^Your project is live!$');
}

for (const { engine, start } of ENGINES.filter(({ engine }) => wanted.has(engine))) {
  for (const { look, width, height, isDark } of LOOKS) {
    test(`${engine} on ${look}: connect, vote in all ways, look around, check the votes and list a project [R81 R87]`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-engine-'));
      const picture = path.join(folder, 'reef.png');
      await sharp({ create: { width: 500, height: 600, channels: 3, background: '#43c6ff' } }).toFile(picture);
      const browser: Browser = await start();
      try {
        const screen = new Screen(browser);
        await swipeEarly(screen);
        await screen.open(setting('E2E_URL'));
        await browser.resize(width, height);
        if (isDark) await screen.press('header button', 'dark');
        await signIn(screen);
        await voteInAllWays(screen);
        await lookAround(screen);
        await checkVotes(screen);
        await submit(screen, picture);
        expect(await browser.evaluate<boolean>('document.documentElement.dataset.theme === "dark"')).toBe(isDark);
        const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await browser.evaluate<number>(wide), 'horizontal scrolling').toBeLessThanOrEqual(0);
        expect((await browser.errors()).filter((text) => !SIGN_IN_401.test(text))).toEqual([]);
      } catch (error) {
        await writeFile(test.info().outputPath('failed.png'), await browser.picture());
        throw error;
      } finally {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
}
