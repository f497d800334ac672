import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
  await page.getByRole('tab', { name: 'Withdrawals' }).click();
}
