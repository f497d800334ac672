/** `npm run shots -- readme`: the pictures of README.md, in docs/media. */
import { type Browser, expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { signIn } from './front-door/door.ts';
import { waitForAnimations } from './accessibility.ts';
import { setting } from './setting.ts';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark' as const };
const STILL_WIDTH = 600;
const FILM = { width: 300, height: 600 };
const FILM_VIEWPORT = { width: 390, height: 780 };
const LEAST_FRAME_MS = 50;
const LAST_FRAME_MS = 1_500;
const STEPS = 12;

async function openAsVoter(browser: Browser, viewport = PHONE.viewport): Promise<Page> {
  const page = await browser.newPage({ ...PHONE, viewport, baseURL: setting('E2E_URL') });
  await page.goto('/');
  await signIn(page);
  await hideNetworkLine(page);
  return page;
}

/** Other sites have no line about a test network. */
async function hideNetworkLine(page: Page): Promise<void> {
  const line = page.getByRole('complementary', { name: 'Network' });
  await line.evaluate((line: HTMLElement) => line.style.setProperty('display', 'none'));
}

async function photograph(page: Page, name: string): Promise<void> {
  await expect(page.locator('.shimmer').filter({ visible: true })).toHaveCount(0);
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  await waitForAnimations(page);
  await page.evaluate(() => scrollTo(0, 0));
  const picture = sharp(await page.screenshot()).resize({ width: STILL_WIDTH });
  await picture.webp({ quality: 82 }).toFile(`docs/media/${name}.webp`);
}

interface Frame {
  data: Buffer;
  /** Seconds since 1970, by the browser. */
  atSeconds: number;
}

/** Each frame stays until the next one was drawn, so that the film has the time of the screen. */
async function writeFilm(frames: readonly Frame[], file: string): Promise<void> {
  const kept = frames.filter(({ atSeconds }, index) => {
    const next = frames[index + 1];
    return next === undefined || (next.atSeconds - atSeconds) * 1000 >= LEAST_FRAME_MS / 2;
  });
  const delay = kept.map(({ atSeconds }, index) => {
    const next = kept[index + 1];
    return next === undefined
      ? LAST_FRAME_MS
      : Math.max(LEAST_FRAME_MS, Math.round((next.atSeconds - atSeconds) * 1000));
  });
  const small = await Promise.all(kept.map(({ data }) => sharp(data).resize(FILM.width, FILM.height).png().toBuffer()));
  await sharp(small, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, delay, loop: 0 })
    .toFile(file);
}

async function swipe(page: Page, direction: 1 | -1): Promise<void> {
  const box = await page.locator('[data-project]').first().boundingBox();
  if (!box) throw new Error('There is no card.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= STEPS; step += 1) {
    await page.mouse.move(x + (direction * 190 * step) / STEPS, y + 2 * step);
    await page.waitForTimeout(LEAST_FRAME_MS);
  }
  await page.mouse.up();
}

test('the film of two swipes', async ({ browser }) => {
  const page = await openAsVoter(browser, FILM_VIEWPORT);
  await expect(page.getByText('Loading projects...')).toHaveCount(0);
  await waitForAnimations(page);
  const camera = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  camera.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ data: Buffer.from(data, 'base64'), atSeconds: metadata.timestamp ?? 0 });
    void camera.send('Page.screencastFrameAck', { sessionId });
  });
  await camera.send('Page.startScreencast', { format: 'jpeg', quality: 92 });
  await page.waitForTimeout(1_000);
  await swipe(page, 1);
  await page.waitForTimeout(1_600);
  await swipe(page, -1);
  await page.waitForTimeout(2_500);
  await camera.send('Page.stopScreencast');
  expect(frames.length).toBeGreaterThan(30);
  await writeFilm(frames, 'docs/media/swipe.webp');
  await page.close();
});

test('the pictures of leaderboard, project and trust', async ({ browser }) => {
  const page = await openAsVoter(browser);
  for (const [name, path] of Object.entries({
    leaderboard: '/leaderboard',
    project: '/projects/tidepool-swap',
    trust: '/trust',
  })) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await hideNetworkLine(page);
    await photograph(page, name);
  }
  await page.close();
});
