import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Page } from '@playwright/test';
import type { Pool } from 'pg';
import { expectAccessible } from './accessibility.ts';
import { balanceMist, fundWallet } from './chain.ts';
import { expect, type Fixtures, test, toastOf } from './fixtures.ts';
import { plantListing } from './listing.ts';
import { type Behavior, installWallets } from './made-wallets.ts';
import { expectPaidOnce, openPayments, type Owner, renewButton, takeUp } from './paying.ts';

const SENDING_WALLET = {
  name: 'Sending Wallet',
  features: ['sui:signPersonalMessage', 'sui:signAndExecuteTransaction'],
} as const;

async function renewWith(
  page: Page,
  { newUser, database }: { newUser: Fixtures['newUser']; database: Pool },
  behavior: Behavior,
): Promise<Owner & { sent: string[] }> {
  const keypair = new Ed25519Keypair();
  const { sent } = await installWallets(page, [SENDING_WALLET], { keypair, ...behavior });
  const { address } = await newUser(keypair);
  await fundWallet(address);
  const { name } = await plantListing(database, { wallet: address, days: [21, 10] });
  const beforeMist = await balanceMist(address);
  await page.goto('/portfolio');
  await renewButton(page, name).click();
  await page
    .getByRole('dialog', { name: 'Connect Wallet' })
    .getByRole('button', { name: /Sending Wallet/ })
    .click();
  return { address, name, beforeMist, sent };
}

test('a payment whose popup is closed after the wallet has sent is found on chain [R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes after sending' });
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible();
  await expectPaidOnce(owner);
});

test('the page asks for an unknown digest, also after a reload, and finds the payment by it [R16 R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes after sending', ownGas: true });
  await expect(openPayments(page).getByText('Did your wallet send this payment?')).toBeVisible();
  await expect(renewButton(page, owner.name)).toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Did your wallet send this payment?' })).toBeDisabled();
  await openPayments(page)
    .getByLabel('Transaction digest')
    .fill(owner.sent[0] ?? '');
  await openPayments(page).getByRole('button', { name: 'Find my payment' }).click();
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await takeUp(database, owner.address);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible({ timeout: 40_000 });
  await expect(openPayments(page)).toHaveCount(0);
  await expectPaidOnce(owner);
});

test('a payer who closed the popup before the wallet sent confirms it and may start again [R16 R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes before sending' });
  await openPayments(page).getByRole('button', { name: 'It was not sent' }).click();
  await expect(toastOf(page).getByText('Payment cancelled')).toBeVisible();
  await expect(renewButton(page, owner.name)).toBeEnabled();
  expect(await balanceMist(owner.address)).toBe(owner.beforeMist);
});
