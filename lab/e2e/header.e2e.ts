import type { Page } from '@playwright/test';
import { expect, grantTokens, responseError, test, topCard } from './fixtures.ts';
import { expectFits } from './fit.ts';

const headerOf = (page: Page) => page.getByRole('banner');
const heightOf = async (page: Page) => (await headerOf(page).boundingBox())?.height;

function overlaps(header: Element): string[] {
  const parts = [...header.querySelectorAll('a, button')]
    .map((part) => ({ name: part.textContent || part.getAttribute('aria-label'), box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const apart = (a: DOMRect, b: DOMRect) =>
    a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return parts.flatMap(({ name, box }, at) => [
    ...(box.left < 0 || box.right > document.documentElement.clientWidth ? [`${name} leaves the screen`] : []),
    ...parts.slice(at + 1).flatMap((other) => (apart(box, other.box) ? [] : [`${name} lies on ${other.name}`])),
  ]);
}

async function expectRoomForLargeText(page: Page): Promise<void> {
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  for (const width of [320, 390, 768, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await headerOf(page).evaluate(overlaps), `text at 200% on ${width} px`).toEqual([]);
    if (width > 320) await expectFits(page, `text at 200% on ${width} px`);
  }
}

test('the header gives a visitor logo, theme and wallet, and a user Profile, Submit Project and the balance [S1.6 S6.2 S3.13]', async ({
  page,
  newUserElsewhere,
  database,
}) => {
  await page.goto('/leaderboard');
  const header = headerOf(page);
  await expect(header.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  await expect(header.getByRole('button', { name: /Switch to (light|dark) theme/ })).toBeVisible();
  for (const name of ['Profile', 'Submit Project', /\d Snaps$/])
    await expect(header.getByRole('link', { name })).toHaveCount(0);
  await header.getByRole('link', { name: 'Snapswipe, home' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator('[data-depth="0"]')).toBeVisible();
  await expectRoomForLargeText(page);

  const { user, page: own } = await newUserElsewhere();
  await grantTokens(database, user.id, 12_340);
  await own.goto('/leaderboard');
  for (const [name, path] of [
    ['12,340 Snaps', '/portfolio'],
    ['Profile', '/profile'],
    ['Submit Project', '/submit-project'],
  ] as const)
    await expect(headerOf(own).getByRole('link', { name })).toHaveAttribute('href', path);
  const address = `${user.address.slice(0, 6)}...${user.address.slice(-4)}`;
  await expect(headerOf(own).getByRole('button', { name: address })).toBeVisible();
});

for (const [width, paths] of [
  [320, ['/privacy', '/terms']],
  [390, ['/', '/projects/tidepool-swap', '/supply', '/submit-project']],
  [768, ['/', '/projects/tidepool-swap', '/leaderboard', '/trust']],
] as const)
  test(`pages for everyone fit a screen of ${width} px with text at 200% [S1.6]`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of paths) {
      await page.goto(path);
      await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
      await expectFits(page, `${path} with text at 200%`);
      if (path !== '/') continue;
      const [line, card] = [page.getByText(/^Right if you'd back it/), page.locator('[data-depth="0"]')];
      const box = await card.boundingBox();
      const cardEnds = (box?.y ?? Infinity) + (box?.height ?? 0);
      expect.soft((await line.boundingBox())?.y, 'the line below the card').toBeGreaterThanOrEqual(cardEnds);
    }
  });

const overlappingDigits = (page: Page) =>
  headerOf(page)
    .getByText(/^0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}$/)
    .evaluate((address) =>
      Array.from('0123456789abcdef').filter((digit) => {
        address.textContent = `0x${digit.repeat(4)}...${digit.repeat(4)}`;
        const boxes = [...(address.closest('header')?.querySelectorAll('a, button') ?? [])]
          .map((part) => part.getBoundingClientRect())
          .filter((box) => box.width > 0)
          .sort((a, b) => a.left - b.left);
        return boxes.some((box, i) => i > 0 && box.left < (boxes[i - 1]?.right ?? 0) - 1);
      }),
    );

test('the header with a long balance fits between 320 and 2560 px [S1.6]', async ({ page, newUser, database }) => {
  const user = await newUser();
  await grantTokens(database, user.id, 1_234_567);
  await page.goto('/leaderboard');
  await expect(headerOf(page).getByRole('link', { name: '1,234,567 Snaps' })).toBeVisible();
  for (const width of [320, 360, 390, 639, 640, 767, 768, 1023, 1024, 1100, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => heightOf(page)).toBe(width < 768 ? 80 : 128);
    const reach = await headerOf(page).evaluate((header) =>
      Math.max(...[...header.querySelectorAll('a, button')].map((part) => part.getBoundingClientRect().right)),
    );
    expect(reach, `at ${width} px`).toBeLessThanOrEqual(width);
    expect(await overlappingDigits(page), `overlap at ${width} px`).toEqual([]);
  }
  await headerOf(page).getByRole('link', { name: 'Snapswipe, home' }).click();
  await expect(topCard(page)).toBeVisible();
  await expectRoomForLargeText(page);
});

test('the page moves the focus and its title with every change of screen [S2.9]', async ({ page, allowed }) => {
  allowed.push(responseError(404, '/nowhere'));
  await page.goto('/nowhere');
  await page.getByRole('main').getByRole('link', { name: 'See the leaderboard' }).click();
  await expect(page).toHaveTitle('Project Leaderboard · Snapswipe');
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
});
