import type { Page } from '@playwright/test';
import { expect, expectToast, press } from './door.ts';
import { expectVisibleToPerson } from './see.ts';

export async function hideProject(page: Page, name: string): Promise<void> {
  await press(page.getByRole('tab', { name: 'Moderation' }));
  await page.getByLabel('Find projects, reviews and replies').fill(name);
  await press(page.getByRole('button', { name: 'Search' }));
  const row = page.getByRole('listitem').filter({ hasText: name });
  await press(row.getByRole('button', { name: /^Hide/ }));
  await page.getByRole('dialog').getByLabel('Reason').fill('Copies another project');
  await press(page.getByRole('dialog').getByRole('button', { name: /^Hide/ }));
  await expectVisibleToPerson(row.getByText(/Copies another project/));
}

/** Confirms the coin that the lister named. */
export async function confirmCoin(page: Page, name: string): Promise<void> {
  await press(page.getByRole('tab', { name: 'Moderation' }));
  const search = page.getByRole('searchbox').first();
  await search.fill(name);
  await search.press('Enter');
  await press(page.getByRole('button', { name: `Coin of ${name}` }));
  const dialog = page.getByRole('dialog', { name: 'Set coin and package' });
  await expect(dialog.getByRole('textbox', { name: 'Coin Type (optional)' })).toHaveValue(/::coin::COIN$/);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Named on its website');
  await press(dialog.getByRole('button', { name: 'Set coin' }));
  await expectToast(page, 'Coin set');
}
