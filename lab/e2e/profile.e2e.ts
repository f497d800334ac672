import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { expect, test, toastOf } from './fixtures.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f6c65b' } })
    .png()
    .toBuffer();

test('/profile crops a picture to a square, stores one of 50 megapixels and one cut short, and calls an AVIF without its end damaged at once [S8.21 R25 R29]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.goto('/profile');
  const pick = (buffer: Buffer) => page.getByLabel('Upload Avatar').setInputFiles({ name: 'me', mimeType: '', buffer });
  await pick(await picture(400, 300));
  await expect(page.getByText('The picture is cropped to a square, as shown.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(toastOf(page).getByText('Profile updated!')).toBeVisible();
  const avatar = page.getByRole('main').locator('img[src^="/images/"]');
  await page.reload();
  await expect(avatar).toHaveCount(1);
  expect(await avatar.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)).toBe(1);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(avatar).toHaveCount(0);

  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: 'black', noise } });
  await pick((await drawn.avif().toBuffer()).subarray(0, -1));
  await expect(page.getByText('This image cannot be read. Please try another file.')).toBeVisible();
  const [png, gif, jpeg] = [await drawn.png().toBuffer(), await drawn.gif().toBuffer(), await drawn.jpeg().toBuffer()];
  for (const cut of [png.subarray(0, 50_000), gif.subarray(0, -9_000), jpeg.subarray(0, -2)]) {
    await pick(cut);
    await expect(page.getByRole('main').locator('img[src^="data:"]')).toHaveCount(1);
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByRole('main').locator('img[src^="/images/"]')).toHaveCount(1);
  }
  await pick(
    await sharp(await picture(8_160, 6_120))
      .jpeg()
      .toBuffer(),
  );
  await expect(page.getByRole('main').locator('img[src^="data:"]')).toHaveCount(1);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('main').locator('img[src^="/images/"]')).toHaveCount(1);
});
