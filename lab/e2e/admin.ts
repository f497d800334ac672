import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Types the password of the admin panel, as the admin's wallet, and opens the queue of withdrawals. */
export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
  await page.getByRole('tab', { name: 'Withdrawals' }).click();
}
