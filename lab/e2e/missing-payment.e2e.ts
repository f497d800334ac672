import { Transaction } from '@mysten/sui/transactions';
import sharp from 'sharp';
import { fundWallet, sandboxChain } from './chain.ts';
import { expect, test } from './fixtures.ts';
import { takeUp } from './paying.ts';

test('a payment whose digest never reached the page is found by its digest, and listed once [R16 R17 S2.29]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await fundWallet(user.address);

  // The order is stored; then the wallet pays on its own and the tab is gone.
  const image = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  const draft = {
    name: 'Driftwood Harbour',
    category: 'DeFi',
    description: 'Found again after the storm.',
    imageUrl: `data:image/png;base64,${image.toString('base64')}`,
    twitterHandle: 'driftwood',
  };
  const prepared = await page.request.post('/api/payments', { data: { purpose: 'submit', draft } });
  expect(prepared.status()).toBe(201);
  const { amountMist, recipient } = (await prepared.json()) as { amountMist: string; recipient: string };
  const transaction = new Transaction();
  transaction.transferObjects([transaction.splitCoins(transaction.gas, [BigInt(amountMist)])], recipient);
  const sent = await user.keypair.signAndExecuteTransaction({ transaction, client: sandboxChain() });
  const digest = sent.Transaction?.digest ?? '';

  await page.goto('/portfolio');
  await page.getByText('Paid, but nothing happened?').click();
  await page.getByLabel('Transaction digest').fill(digest);
  await page.getByRole('button', { name: 'Find my payment' }).click();
  await expect(page.getByText('Payment received, finishing…').first()).toBeVisible();
  await takeUp(database, user.address);
  await expect(page.getByRole('heading', { name: 'Active Projects (1)' })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText('Paid, but nothing happened?')).toBeHidden();

  const { rows } = await database.query('SELECT state, digest FROM payments WHERE user_id = $1', [user.id]);
  expect(rows).toEqual([{ state: 'fulfilled', digest }]);
});
