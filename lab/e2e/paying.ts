import type { Locator, Page, Route } from '@playwright/test';
import type { Pool } from 'pg';
import { balanceMist } from './chain.ts';
import { expect, type TestUser } from './fixtures.ts';
import { plantListing } from './listing.ts';
import { reject } from './made-up.ts';

const RENEW_FEE_MIST = 15_000_000_000n;
/** More than one transaction can cost in gas here. */
const GAS_MIST = 50_000_000n;

export const openPayments = (page: Page): Locator => page.getByRole('region', { name: 'Open payments' });
export const renewButton = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Renew (15 SUI) ${name}` });

/** Presses 'Renew' on the portfolio, then on the month of the listing, where a payment begins. */
export async function renew(page: Page, name: string, label = 'Renew (15 SUI)'): Promise<void> {
  await page.getByRole('button', { name: `${label} ${name}` }).click();
  await page.getByRole('button', { name: label, exact: true }).click();
}

export async function signPayment(page: Page, button: 'Sign' | 'Reject' = 'Sign'): Promise<void> {
  const connect = page.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' });
  const transaction = page.getByRole('dialog', { name: 'Sign this transaction?' });
  await expect(connect.or(transaction)).toBeVisible();
  if (await connect.isVisible()) await connect.click();
  await transaction.getByRole('button', { name: button }).click();
}

export interface Owner {
  address: string;
  name: string;
  beforeMist: bigint;
}

export async function ownerOnPortfolio(page: Page, database: Pool, newPayer: () => Promise<TestUser>): Promise<Owner> {
  const { address } = await newPayer();
  const { name } = await plantListing(database, { wallet: address, days: [21, 10] });
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
