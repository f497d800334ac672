import type { Locator, Page, Route } from '@playwright/test';
import type { Pool } from 'pg';
import { balanceMist } from './chain.ts';
import { expect, type TestUser } from './fixtures.ts';
import { reject } from './made-up.ts';
import { uniqueText } from './unique.ts';

const RENEW_FEE_MIST = 15_000_000_000n;
/** More than one transaction can cost in gas here. */
const GAS_MIST = 50_000_000n;

/** Also beside the dialog that celebrates a listing, which hides everything outside of it from assistive technology. */
export const toastOf = (page: Page): Locator => page.getByRole('region', { name: /Notification/, includeHidden: true });
export const openPayments = (page: Page): Locator => page.getByRole('region', { name: 'Open payments' });
export const renewButton = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Renew (15 SUI) ${name}` });

export async function signPayment(page: Page, button: 'Sign' | 'Reject' = 'Sign'): Promise<void> {
  const connect = page.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' });
  const transaction = page.getByRole('dialog', { name: 'Sign this transaction?' });
  await expect(connect.or(transaction)).toBeVisible();
  if (await connect.isVisible()) await connect.click();
  await transaction.getByRole('button', { name: button }).click();
}

export async function addOwnProject(database: Pool, userId: number): Promise<string> {
  const name = `Owned ${uniqueText()}`;
  await database.query(
    `WITH project AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
       SELECT $2, $3, category, description, image_hash, twitter_handle, $1, now() + interval '10 days' FROM projects LIMIT 1
       RETURNING id
     )
     INSERT INTO project_stats (project_id) SELECT id FROM project`,
    [userId, name.toLowerCase().replace(' ', '-'), name],
  );
  return name;
}

export interface Owner {
  address: string;
  name: string;
  beforeMist: bigint;
}

export async function ownerOnPortfolio(page: Page, database: Pool, newPayer: () => Promise<TestUser>): Promise<Owner> {
  const { id, address } = await newPayer();
  const name = await addOwnProject(database, id);
  await page.goto('/portfolio');
  await expect(renewButton(page, name)).toBeEnabled();
  return { address, name, beforeMist: await balanceMist(address) };
}

export async function expectPaidOnce({ address, beforeMist }: Owner): Promise<void> {
  const paid = beforeMist - (await balanceMist(address));
  expect(paid).toBeGreaterThanOrEqual(RENEW_FEE_MIST);
  expect(paid).toBeLessThan(RENEW_FEE_MIST + GAS_MIST);
}

export async function takeUp(database: Pool, wallet: string, when = 'now()'): Promise<void> {
  await database.query(
    `UPDATE payments SET next_try_at = ${when} FROM users WHERE users.id = user_id AND wallet_address = $1`,
    [wallet],
  );
}

/**
 * Presses 'Send again', and lets the signature through from then on. The page also tries every five seconds: were it let through before,
 * the button could be gone under the pointer.
 */
export async function sendAgain(page: Page): Promise<void> {
  await page.evaluate(() => {
    const press = () => document.documentElement.setAttribute('data-pressed', '');
    addEventListener('click', press, { capture: true, once: true });
  });
  await page.route('**/api/payments/*/execute', async (route) => {
    const isPressed = await page.evaluate(() => document.documentElement.hasAttribute('data-pressed'));
    await (isPressed ? route.continue() : route.fallback());
  });
  await openPayments(page).getByRole('button', { name: 'Send again' }).click();
}

export const failWith = (status: number) => (route: Route) =>
  status === 0
    ? route.abort('internetdisconnected')
    : reject(route, status, { error: 'injected', message: 'Something in between said no.' });
