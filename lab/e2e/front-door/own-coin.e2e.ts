/** The owner makes the coin of Snaps in the panel, sets it, and pays a withdrawal in it; anyone sees what covers the rest. */
import type { Page } from '@playwright/test';
import { expectFits } from '../fit.ts';
import { giveStandingAndSnaps } from '../fixtures.ts';
import {
  chooseInMenu,
  enterAsAdmin,
  expect,
  expectToast,
  look,
  pickWallet,
  press,
  signIn,
  signTransaction,
  walletDialog,
} from './door.ts';
import { test } from './own-coin.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const SIZES = [
  [320, 568],
  [390, 664],
  [1366, 657],
] as const;

async function expectFitsEverywhere(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await expectFits(page, `${what} at ${width}×${height}`);
  }
  if (before) await page.setViewportSize(before);
}

async function makeCoin(owner: Page): Promise<string> {
  const fields = { Name: 'Reef Snaps', Symbol: 'REEF', Decimals: '9', 'First supply': '1000000' };
  for (const [label, text] of Object.entries(fields)) await owner.getByLabel(label).fill(text);
  const preview = owner.getByRole('button', { name: 'Preview with a dry run' });
  await press(preview);
  await expectVisibleToPerson(owner.getByText('SNAPS_DECIMALS is 6').first());
  await expectFitsEverywhere(owner, 'the form of the coin');
  await owner.getByLabel('Decimals').fill('6');
  await press(preview);
  await expectVisibleToPerson(owner.getByRole('heading', { name: 'Preview of the coin' }));
  await expectVisibleToPerson(owner.getByText('Never tried on a real node'));
  await expectFitsEverywhere(owner, 'the preview of the coin');
  await look(owner);
  const publish = owner.getByRole('button', { name: 'Sign and publish' });
  await press(publish);
  await press(owner.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Reject' }));
  await expectToast(owner, 'No coin was made');
  await press(publish);
  await signTransaction(owner);
  await expectToast(owner, 'The coin is on the chain');
  const made = owner.getByLabel('Setting of the server');
  await expectVisibleToPerson(made);
  await expectFitsEverywhere(owner, 'the coin that was made');
  return (await made.inputValue()).replace('SNAPS_COIN_TYPE=', '');
}

test('the owner makes a coin, sets it, a withdrawal arrives in the wallet, and the supply says what covers the rest [R83 R84 R14]', async ({
  page,
  browser,
  database,
  site,
  loads,
  allowed,
}) => {
  allowed.push(/^Failed to connect wallet/);
  test.setTimeout(240_000);
  const owner = await enterAsAdmin(browser, 'Coin');
  const coinType = await makeCoin(owner);
  expect(coinType).toMatch(/^0x[0-9a-f]{64}::snaps::SNAPS$/);
  await site.restartWith({ SNAPS_COIN_TYPE: coinType });

  await page.goto('/');
  const wallet = await signIn(page);
  await giveStandingAndSnaps(database, wallet, 100);
  // The page shows the balance of the next visit.
  loads.expected += 1;
  await page.reload();
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('button', { name: 'Withdraw Tokens' }));
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await dialog.getByLabel('Amount').fill('60');
  await press(dialog.getByRole('button', { name: 'Withdraw Tokens' }));
  await expectToast(page, 'Withdrawal requested!');

  await owner.bringToFront();
  await owner.reload();
  await press(owner.getByRole('tab', { name: 'Withdrawals' }));
  await expect(owner.getByRole('tab', { name: 'Coin' })).toHaveCount(0);
  await press(owner.getByRole('button', { name: /^Approve withdrawal/ }));
  await expectToast(owner, 'Withdrawal approved');
  await press(owner.getByRole('button', { name: 'Pay 1 in one transaction' }));
  // A page that was loaded again asks for its wallet when it is needed.
  await press(walletDialog(owner).getByRole('button', { name: 'Approve' }));
  await signTransaction(owner);
  await expectToast(owner, 'Payout sent');

  await page.bringToFront();
  await expect(page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem').first()).toContainText(
    'Paid',
  );
  await chooseInMenu(page, 'Disconnect Wallet');
  await pickWallet(page);
  await expectVisibleToPerson(walletDialog(page).getByText(/60 REEF/));
  await press(walletDialog(page).getByRole('button', { name: 'Reject' }));
  await page.keyboard.press('Escape');

  await owner.bringToFront();
  await press(owner.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }));
  await expectScreenAlive(owner, 'Snaps supply');
  const reserves = owner.getByRole('region', { name: 'Reserves' });
  await expectVisibleToPerson(reserves.getByText(/^100% of what could be withdrawn today is covered/));
  await expect(reserves).toContainText('Admin wallet: 999,940 Snaps');
  await expect(reserves).toContainText('The holder of its TreasuryCap can mint more');
  await expectFitsEverywhere(owner, 'the reserves');
  await look(owner);
  await expectContentAlive(owner);
  await owner.context().close();
});
