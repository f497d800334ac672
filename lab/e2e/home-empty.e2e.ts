import type { Page } from '@playwright/test';
import { listProjects } from '#shared/contract/projects.ts';
import { expectAccessible } from './accessibility.ts';
import { responseError, expect, test, topCardOf, withoutFirstData } from './fixtures.ts';
import { reject, respond } from './made-up.ts';

const FEED = '**/api/projects?userId=*';
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Reviews and top projects' });

test('without a card no project is described and no key is offered [S2.14 S2.15]', async ({ page, newUser }) => {
  await newUser();
  await page.route(FEED, (route) => respond(route, listProjects, [], { 'X-Total-Count': '0' }));
  await withoutFirstData(page, '/');
  await page.goto('/');
  await expect(page.getByText('All projects rated!', { exact: true })).toBeVisible();
  await expect(sidebar(page).getByText('No reviews for this project yet')).toHaveCount(0);
  await expect(sidebar(page).getByText('Reviews of the current project appear here')).toBeVisible();
  const keys = page.locator('kbd');
  await expect(keys).toHaveCount(4);
  for (const key of await keys.all()) await expect(key).toBeHidden();
  await expectAccessible(page);

  await page.unroute(FEED);
  await page.getByRole('button', { name: 'Load New Projects' }).click();
  await expect(topCardOf(page)).toBeVisible();
  for (const key of await keys.all()) await expect(key).toBeVisible();
  await expect(sidebar(page).getByText('appear here')).toHaveCount(0);
});

test('a feed that cannot be read shows an error in the place of the card alone [S2.14 S8.2]', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/projects'));
  await newUser();
  await page.route(FEED, (route) => reject(route, 503, { error: 'x', message: 'y' }));
  await withoutFirstData(page, '/');
  await page.goto('/');
  await expect(page.getByText('Failed to fetch projects')).toBeVisible();
  await expect(sidebar(page).getByText('No reviews for this project yet')).toHaveCount(0);
  for (const key of await page.locator('kbd').all()) await expect(key).toBeHidden();
});
