import type { Page } from '@playwright/test';
import { waitForAnimations, expectAccessible } from './accessibility.ts';
import { responseError, expect, live, test, topCardOf } from './fixtures.ts';
import { listOwnProjects } from './own-projects.ts';

/** The content at the place of a picture, and how many images the browser shows as broken. */
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
  await live(page);
  const before = await placesOf(page, 'main li img');
  await page.route('**/images/**', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.reload();
  await live(page);
  await expect(page.locator('main [data-picture=missing]').nth(5)).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
  expect(await placesOf(page, 'main li [data-picture=missing]')).toEqual(before);
  await expect(page.locator('main li').getByRole('img')).toHaveCount(0);
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
  await expect(page.getByRole('img', { name: /^Picture of / })).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
  await expectAccessible(page);
});

test('a broken file on a project’s page, its reviewers and the examples of the landing page [S1.2 S2.33 S2.36]', async ({
  page,
}) => {
  await page.route('**/images/**', (route) => route.fulfill({ contentType: 'image/webp', body: 'no picture' }));
  await page.goto('/projects/tidepool-swap');
  await live(page);
  await expect(page.getByRole('img', { name: 'Picture of Tidepool Swap' })).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: /^Reviews/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible();
  await expect.poll(() => brokenImages(page)).toBe(0);
  await page.getByRole('link', { name: 'Back to Voting' }).click();
  const examples = page.getByRole('region', { name: 'How It Works' }).getByRole('list').last();
  await examples.scrollIntoViewIfNeeded();
  await expect(examples.locator('[data-picture=missing]')).toHaveCount(3);
  await expect.poll(() => brokenImages(page)).toBe(0);
});

test('cards, own projects and users without their files get drawn pictures, in both themes [S2.12 S2.29]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(404, '/images/*'));
  const user = await newUser();
  await listOwnProjects(database, user.id);
  await page.route('**/images/**', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.goto('/');
  await expect(topCardOf(page).locator('[data-picture=missing]')).toBeVisible();
  await waitForAnimations(page);
  const [card, drawn] = [
    await topCardOf(page).boundingBox(),
    await topCardOf(page).locator('[data-picture=missing]').boundingBox(),
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
