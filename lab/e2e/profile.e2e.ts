import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { IMAGE_MAX_BYTES } from '#shared/constants.ts';
import { expectAccessible } from './accessibility.ts';
import { responseError, expect, test } from './fixtures.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f6c65b' } })
    .png()
    .toBuffer();

/** Requests to `url` wait until the function that it returns is called. */
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

test('a visitor is asked to connect [S2.25]', async ({ page }) => {
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Please connect your wallet' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  await expectAccessible(page);
});

test('name, links and picture are saved, and statistics are shown below [S2.25 S8.21 R29]', async ({
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

test('shows errors beside their fields and keeps typed text [R29 S8.11]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(409, '/api/users/*'));
  allowed.push(responseError(400, '/api/users/*'));
  const user = await newUser();
  const taken = `taken_${user.id}`;
  await database.query('UPDATE users SET username = $1 WHERE id = (SELECT min(id) FROM users)', [taken]);
  await page.goto('/profile');
  const username = page.getByRole('textbox', { name: 'Username' });
  const twitter = page.getByRole('textbox', { name: 'Twitter/X link' });
  await username.fill('🦑 <b>');
  await twitter.fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(username).toHaveAccessibleDescription(/Only letters, digits and _ are allowed/);
  await expect(username).toBeFocused();
  await expect(twitter).toHaveAccessibleDescription(/Enter a link like https:\/\/x\.com\/yourname/);
  await expect(username).toHaveValue('🦑 <b>');
  await expect(twitter).toHaveValue('javascript:alert(1)');
  await expectAccessible(page);

  await username.fill(taken.toUpperCase());
  await twitter.fill('https://x.com/nemo');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('region', { name: /Notification/ }).getByText('Update failed')).toBeVisible();
  await expect(username).toHaveAccessibleDescription(/This username is already taken/);
  await expect(twitter).toHaveValue('https://x.com/nemo');
  await username.fill('admin');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(username).toHaveAccessibleDescription(/This username is reserved/);
});

test('rejects files that are not pictures beside the field [R25 R29]', async ({ page, newUser }) => {
  await newUser();
  await page.goto('/profile');
  const file = page.getByLabel('Avatar image file');
  const upload = page.getByRole('button', { name: 'Upload Avatar' });
  const png = await picture(300, 300);
  const cases: [string, string, Buffer, RegExp][] = [
    ['a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /Please use a PNG/],
    ['says.png', 'image/png', Buffer.from('not a picture'), /This image cannot be read/],
    ['cut.png', 'image/png', png.subarray(0, 40), /This image cannot be read/],
    ['huge.png', 'image/png', Buffer.alloc(IMAGE_MAX_BYTES + 1), /Images can be at most 10 MB/],
    ['wide.png', 'image/png', await picture(6000, 5000), /6000 × 5000 pixels, which is too many/],
  ];
  for (const [name, mimeType, buffer, message] of cases) {
    await file.setInputFiles({ name, mimeType, buffer });
    await expect(upload).toHaveAccessibleDescription(message);
  }
  await file.setInputFiles({ name: 'small.png', mimeType: 'image/png', buffer: await picture(100, 100) });
  await expect(upload).toHaveAccessibleDescription(/100x100: it may look blurred/);
});
