import { expectAccessible } from './accessibility.ts';
import { balanceMist } from './chain.ts';
import { expect, responseError, test, toastOf } from './fixtures.ts';
import {
  expectPaidOnce,
  failWith,
  openPayments,
  ownerOnPortfolio,
  renew,
  renewButton,
  sendAgain,
  signPayment,
  takeUp,
} from './paying.ts';

// pay.test.ts covers the other failures.
test('a payment whose execution and renewal get no response is kept over a reload and in another tab, sent again, renewed and paid once [S8.12 R16]', async ({
  page,
  context,
  newPayer,
  database,
  allowed,
}) => {
  const owner = await ownerOnPortfolio(page, database, newPayer);
  for (const call of ['/api/payments/*/execute', '/api/projects/*/renew']) {
    allowed.push(responseError(0, call));
    await page.route(`**${call}`, failWith(0));
  }
  await renew(page, owner.name);
  await signPayment(page);
  await expect(toastOf(page).getByText('Not sent yet')).toBeVisible();
  await expect(page.getByText('Payment received')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Not sent yet' })).toBeDisabled();
  // The checker's script, in the card that the month shows for other sites.
  allowed.push(/^Blocked script execution in '[^']*\/embed\//);
  await expectAccessible(page);
  await page.goto('/');
  await expect(openPayments(page).getByText('Not sent yet')).toBeVisible();
  expect(owner.beforeMist - (await balanceMist(owner.address))).toBe(0n);
  await sendAgain(page);
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await takeUp(database, owner.address, "now() + interval '1 hour'");
  await expect(toastOf(page).getByText('Renewal failed')).toHaveCount(0);
  // Neither another page nor a second tab shows another button.
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto('/portfolio');
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
