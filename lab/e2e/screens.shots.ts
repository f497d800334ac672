/**
 * `npm run shots`: every screen, for a visitor, a user and the admin, on phone and desktop, light and dark, into ./shots for a person to
 * look through.
 */
import { expect, type Page, test } from '@playwright/test';
import { SCREENS } from '#shared/site/screens.ts';
import { signIn } from './front-door/door.ts';
import { waitForAnimations } from './accessibility.ts';
import { setting } from './setting.ts';

test.use({ baseURL: setting('E2E_URL'), colorScheme: 'light' });

const SIZES = { desktop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } };

async function photograph(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
    await waitForAnimations(page);
    await page.screenshot({ path: `shots/${name}-${theme}.png`, fullPage: true });
  }
}

for (const [device, viewport] of Object.entries(SIZES))
  for (const role of ['visitor', 'user', 'admin'])
    test(`pictures of every screen for the ${role} on the ${device}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.goto('/');
      if (role !== 'visitor') await signIn(page, { admin: role === 'admin' });
      for (const [screen, { path }] of Object.entries(SCREENS)) {
        await page.goto(path.replace(':ref', 'tidepool-swap'), { waitUntil: 'networkidle' });
        await expect(page.getByRole('main')).toBeVisible();
        await photograph(page, `${screen}-${role}-${device}`);
      }
    });
