import type { Page } from '@playwright/test';
import { waitForAnimations, expectAccessible } from './accessibility.ts';
import { responseError, expect, test, topCard } from './fixtures.ts';
import { plantListing } from './listing.ts';

const brokenImages = (page: Page) =>
  page.evaluate(() => [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length);
const placesOf = (page: Page, selector: string) =>
  page.evaluate(
    (found) =>
      [...document.querySelectorAll(found)].slice(0, 6).map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    selector,
  );

test('a picture that is missing before the page’s code runs gives way to a drawn one of its size [S2.37 R25]', async ({
  page,
  allowed,
}) => {
  allowed.push(responseError(404, '/images/*'));
  await page.goto('/leaderboard');
  const before = await placesOf(page, 'main li img');
  await page.route('**/images/**', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.reload();
  await expect(page.locator('main [data-picture=missing]').nth(5)).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
  expect(await placesOf(page, 'main li [data-picture=missing]')).toEqual(before);
  await expect(page.locator('main li').getByRole('img')).toHaveCount(0);
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
  await expect(page.getByRole('img', { name: /^Picture of / })).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
  await expectAccessible(page);
});

test('cards, own projects and users without their files get drawn pictures, in both themes [S2.12 S2.29]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(404, '/images/*'));
  const user = await newUser();
  await plantListing(database, { wallet: user.address });
  await page.route('**/images/**', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.goto('/');
  await expect(topCard(page).locator('[data-picture=missing]')).toBeVisible();
  await waitForAnimations(page);
  const [card, drawn] = [
    await topCard(page).boundingBox(),
    await topCard(page).locator('[data-picture=missing]').boundingBox(),
  ];
  expect(drawn?.width ?? 0).toBeGreaterThan((card?.width ?? 0) * 0.9);
  await expect.poll(() => brokenImages(page)).toBe(0);
  await expectAccessible(page);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Snaps$/ })
    .click();
  await expect(page.getByRole('main').locator('[data-picture=missing]').first()).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
});
