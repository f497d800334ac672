import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, giveSession, type TestUser, signInOverHttp } from './fixtures.ts';

export interface Visitor {
  user: TestUser;
  context: BrowserContext;
  page: Page;
}

/** Somebody with a browser and a wallet of their own. */
export async function visitor(browser: Browser, baseURL: string): Promise<Visitor> {
  const user = await signInOverHttp(new Ed25519Keypair());
  const context = await browser.newContext({ baseURL });
  await giveSession(context, user);
  return { user, context, page: await context.newPage() };
}

/** Types the password of the admin panel, as the admin's wallet. */
export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
}
