/** `npm run shots -- app`: the pictures that a browser shows before it installs the app (web/public/manifest.webmanifest). */
import { expect, test } from '@playwright/test';
import { signIn } from './front-door/door.ts';
import { waitForAnimations } from './accessibility.ts';
import { setting } from './setting.ts';

const FORMS = {
  narrow: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  wide: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
};

for (const [form, size] of Object.entries(FORMS))
  test(`pictures of the app on a ${form} screen`, async ({ browser }) => {
    const page = await browser.newPage({ ...size, baseURL: setting('E2E_URL'), colorScheme: 'dark' });
    await page.goto('/');
    await signIn(page);
    // Other sites have no line about a test network.
    await page
      .getByRole('complementary', { name: 'Network' })
      .evaluate((line: HTMLElement) => line.style.setProperty('display', 'none'));
    for (const [name, path] of Object.entries({ deck: '/', leaderboard: '/leaderboard' })) {
      if (path !== '/') await page.getByRole('link', { name: 'Leaderboard' }).first().click();
      await expect(
        page
          .getByRole('main')
          .getByText(/\d+ votes$/)
          .first(),
      ).toBeVisible();
      await expect(page.getByText('Loading projects...')).toHaveCount(0);
      // Those below the screen are loaded later.
      await page.waitForFunction(() =>
        [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
      );
      await waitForAnimations(page);
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: `web/public/screens/${name}-${form}.jpg`, type: 'jpeg', quality: 64 });
    }
    await page.close();
  });
