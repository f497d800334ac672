import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f6c65b' } })
    .png()
    .toBuffer();

async function delayResponses(page: Page, url: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return async () => {
    gate.resolve();
    await page.unroute(url);
  };
}

test('/profile saves name, links and picture, and shows statistics below [S2.25 S8.21 R29]', async ({
  page,
  newUser,
}) => {
  const user = await newUser();
  const release = await delayResponses(page, `**/api/users/${user.id}`);
  await page.goto('/profile');
  await expect(page.getByText('Loading profile...')).toBeVisible();
  await release();
  const username = `nemo_${user.id}`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('textbox', { name: 'Twitter/X link' }).fill('https://x.com/nemo');
  await page.getByRole('textbox', { name: 'Telegram link' }).fill('https://t.me/nemo');
  await page
    .getByLabel('Avatar image file')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await picture(400, 300) });
  await expect(page.getByText('The picture is cropped to a square, as shown.')).toBeVisible();
  await expectAccessible(page);
  const releaseSave = await delayResponses(page, `**/api/users/${user.id}`);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await releaseSave();
  await expect(page.getByRole('region', { name: /Notification/ }).getByText('Profile updated!')).toBeVisible();
  const avatar = page.getByRole('main').locator('img[src^="/images/"]');
  await expect(avatar).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await expect(page.getByRole('textbox', { name: 'Telegram link' })).toHaveValue('https://t.me/nemo');
  await expect(avatar).toHaveCount(1);
  for (const label of ['Total votes', 'Bullish', 'Snaps', 'Streak'])
    await expect(page.getByRole('region', { name: 'Your Statistics' }).getByText(label)).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(avatar).toHaveCount(0);
});
