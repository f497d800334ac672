import { expectAccessible } from './accessibility.ts';
import { balanceMist } from './chain.ts';
import { expect, responseError, test, toastOf } from './fixtures.ts';
import {
  expectPaidOnce,
  failWith,
  openPayments,
  ownerOnPortfolio,
  renewButton,
  sendAgain,
  signPayment,
  takeUp,
} from './paying.ts';

// pay.test.ts covers the other failures.
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

test('an execution without a response is kept over a reload, sent again, and paid once [R16]', async ({
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

test('while one tab is paying, another tab does not open the wallet [R16]', async ({
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
