import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { balanceMist } from './chain.ts';
import { responseError, expect, test } from './fixtures.ts';
import {
  expectPaidOnce,
  failWith,
  openPayments,
  ownerOnPortfolio,
  renewButton,
  sendAgain,
  signPayment,
  takeUp,
  toastOf,
} from './paying.ts';

// pay.test.ts covers the other failures; a 401 is in payments-forms.e2e.ts.
for (const status of [409, 0]) {
  test(`after the chain took the money, ${status || 'a lost connection'} on the renewal does not fail it: one payment, renewed [S8.12 R16]`, async ({
    page,
    context,
    newPayer,
    database,
    allowed,
  }) => {
    const owner = await ownerOnPortfolio(page, database, newPayer);
    allowed.push(responseError(status, '/api/projects/*/renew'));
    await page.route('**/api/projects/*/renew', failWith(status));
    await renewButton(page, owner.name).click();
    await signPayment(page);
    await expect(toastOf(page).getByText('Payment received, finishing…')).toBeVisible();
    // The server's job comes to it in the end only.
    await takeUp(database, owner.address, "now() + interval '1 hour'");
    await expect(toastOf(page).getByText('Renewal failed')).toHaveCount(0);
    await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
    await expect(renewButton(page, owner.name)).toHaveCount(0);
    // Neither a reload nor a second tab shows another button.
    await page.reload();
    const second = await context.newPage();
    await second.goto('/portfolio');
    for (const tab of [page, second]) {
      await expect(openPayments(tab).getByText('Payment received, finishing…')).toBeVisible();
      await expect(tab.getByRole('heading', { name: owner.name })).toBeVisible();
      await expect(renewButton(tab, owner.name)).toHaveCount(0);
      await expect(tab.getByRole('button', { name: /Payment received, finishing/ })).toBeDisabled();
    }
    await takeUp(database, owner.address);
    await expect(page.getByText('40d 23h remaining')).toBeVisible({ timeout: 40_000 });
    await expect(openPayments(page)).toHaveCount(0);
    await expect(renewButton(page, owner.name)).toBeEnabled();
    await expectPaidOnce(owner);
  });
}

test('an execution that never got a response is not sent yet: kept over home and reload, sent again, paid once [R16]', async ({
  page,
  newPayer,
  database,
  allowed,
}) => {
  const owner = await ownerOnPortfolio(page, database, newPayer);
  allowed.push(responseError(0, '/api/payments/*/execute'));
  await page.route('**/api/payments/*/execute', failWith(0));
  await renewButton(page, owner.name).click();
  await signPayment(page);
  await expect(toastOf(page).getByText('Not sent yet')).toBeVisible();
  await expect(page.getByText('Payment received')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Not sent yet' })).toBeDisabled();
  await expectAccessible(page);
  await page.goto('/');
  await expect(openPayments(page).getByText('Not sent yet')).toBeVisible();
  expect(owner.beforeMist - (await balanceMist(owner.address))).toBe(0n);
  await sendAgain(page);
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await takeUp(database, owner.address);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible({ timeout: 40_000 });
  await expect(openPayments(page)).toHaveCount(0);
  await expectPaidOnce(owner);
});

test('an unsent payment can be cancelled: nothing is paid, not even by a late request [R16]', async ({
  page,
  newPayer,
  database,
  allowed,
}) => {
  const owner = await ownerOnPortfolio(page, database, newPayer);
  allowed.push(responseError(0, '/api/payments/*/execute'));
  let late: { url: string; data: unknown } | null = null;
  await page.route('**/api/payments/*/execute', async (route) => {
    late ??= { url: route.request().url(), data: route.request().postDataJSON() as unknown };
    await route.abort('internetdisconnected');
  });
  await renewButton(page, owner.name).click();
  await signPayment(page);
  await openPayments(page).getByRole('button', { name: 'Cancel payment' }).click();
  await expect(toastOf(page).getByText('Payment cancelled')).toBeVisible();
  await expect(openPayments(page)).toHaveCount(0);
  await expect(renewButton(page, owner.name)).toBeEnabled();
  const { url, data } = late ?? { url: '', data: null };
  expect((await page.request.post(url, { data })).status()).toBe(409);
  expect(await balanceMist(owner.address)).toBe(owner.beforeMist);
});

test('an unknown digest is being looked for, never received [R17]', async ({ page, newUser }) => {
  const { address: submittedBy } = await newUser();
  await page.goto('/portfolio');
  const digest = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
  const image = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  const imageUrl = `data:image/png;base64,${image.toString('base64')}`;
  const listing = { name: 'Foghorn', category: 'DeFi', description: 'Unseen', twitterHandle: 'foghornreef', imageUrl };
  const claimed = await page.request.post('/api/projects', {
    data: { ...listing, submittedBy, transactionHash: digest },
  });
  expect(await claimed.json()).toMatchObject({ status: 'pending', phase: 'looking' });
  await page.reload();
  await expect(openPayments(page).getByText('Looking for your payment')).toBeVisible();
  await expect(page.getByText('Payment received')).toHaveCount(0);
  await expectAccessible(page);
});

test('two tabs: while one is paying, the other does not open the wallet [R16]', async ({
  page,
  context,
  newPayer,
  database,
}) => {
  const owner = await ownerOnPortfolio(page, database, newPayer);
  const second = await context.newPage();
  await second.goto('/portfolio');
  await expect(renewButton(second, owner.name)).toBeEnabled();
  await renewButton(page, owner.name).click();
  await expect(page.getByRole('dialog', { name: /Sign this transaction|Connect to Snapswipe/ })).toBeVisible();
  await renewButton(second, owner.name).click();
  await expect(toastOf(second).getByText('Payment in progress')).toBeVisible();
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await signPayment(page);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible();
  await expectPaidOnce(owner);
});
