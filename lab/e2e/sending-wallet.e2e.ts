import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expectAccessible } from './accessibility.ts';
import { balanceMist, fundWallet } from './chain.ts';
import { expect, test, toastOf } from './fixtures.ts';
import { plantListing } from './listing.ts';
import { installWallets } from './made-wallets.ts';
import { expectPaidOnce, openPayments, renew, takeUp } from './paying.ts';

const SENDING_WALLET = {
  name: 'Sending Wallet',
  features: ['sui:signPersonalMessage', 'sui:signAndExecuteTransaction'],
} as const;

test('the page asks for an unknown digest, also after a reload, and finds the payment by it [R16 R17]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  const keypair = new Ed25519Keypair();
  const closes = { does: 'closes after sending', ownGas: true } as const;
  const { sent } = await installWallets(page, [SENDING_WALLET], { keypair, ...closes });
  const { address } = await newUser(keypair);
  await fundWallet(address);
  const { name } = await plantListing(database, { wallet: address, days: [21, 10] });
  const beforeMist = await balanceMist(address);
  await page.goto('/portfolio');
  await renew(page, name);
  const wallets = page.getByRole('dialog', { name: 'Connect Wallet' });
  await wallets.getByRole('button', { name: /Sending Wallet/ }).click();
  await expect(openPayments(page).getByText('Did your wallet send this payment?')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Renew/ })).toHaveCount(0);
  allowed.push(/^Blocked script execution in '[^']*\/embed\//);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Did your wallet send this payment?' })).toBeDisabled();
  await openPayments(page)
    .getByLabel('Transaction digest')
    .fill(sent[0] ?? '');
  await openPayments(page).getByRole('button', { name: 'Find my payment' }).click();
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await takeUp(database, address);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible({ timeout: 40_000 });
  await expect(openPayments(page)).toHaveCount(0);
  await expectPaidOnce({ address, name, beforeMist });
});
