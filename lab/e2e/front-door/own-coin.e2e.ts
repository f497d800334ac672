/**
 * The owner makes the coin of Snaps and its Book by the command, sets them, and pays a withdrawal; a restored database pays
 * nothing twice, and anyone sees what covers the rest.
 */
import type { Locator, Page } from '@playwright/test';
import { expectFitsAtEach } from '../fit.ts';
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
import { copyDatabase, makeCoinAndBook, test } from './own-coin.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const SIZES = [
  [320, 568],
  [390, 664],
  [1366, 657],
] as const;

const withdrawals = (page: Page): Locator => page.getByRole('region', { name: 'Your withdrawals' });

async function withdraw(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'Withdraw Tokens' }));
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await dialog.getByLabel('Amount').fill('60');
  await press(dialog.getByRole('button', { name: 'Withdraw Tokens' }));
  await expectToast(page, 'Withdrawal requested!');
}

async function approve(owner: Page): Promise<void> {
  await owner.bringToFront();
  await owner.reload();
  await press(owner.getByRole('tab', { name: 'Withdrawals' }));
  await press(owner.getByRole('button', { name: /^Approve withdrawal/ }));
  await expectToast(owner, 'Withdrawal approved');
}

test('the owner makes coin and Book, a withdrawal arrives, a restore pays nothing twice, and the supply says what covers the rest [R83 R97 R84]', async ({
  page,
  browser,
  database,
  site,
  loads,
  allowed,
}) => {
  allowed.push(/^Failed to connect wallet/, /ERR_CONNECTION_REFUSED|status of 503/);
  test.setTimeout(300_000);
  const settings = await makeCoinAndBook(site);
  expect(settings).toMatchObject({
    SNAPS_COIN_TYPE: expect.stringMatching(/^0x[0-9a-f]{64}::snaps::SNAPS$/),
    SNAPS_BOOK: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  await site.restartWith(settings);

  await page.goto('/');
  const wallet = await signIn(page);
  await giveStandingAndSnaps(database, wallet, 100);
  const owner = await enterAsAdmin(browser, 'Withdrawals');
  const book = owner.getByRole('region', { name: 'The Book' });
  await expect(book).toContainText('Ready', { timeout: 30_000 });
  await expectFitsAtEach(owner, 'the Book', SIZES);
  await look(owner);
  const backup = await copyDatabase(site, 'restored');

  // The page shows the balance of the next visit.
  loads.expected += 1;
  await page.bringToFront();
  await page.reload();
  await chooseInMenu(page, 'Portfolio');
  await withdraw(page);
  await approve(owner);
  await press(owner.getByRole('button', { name: 'Pay 1 in one transaction' }));
  // A page that was loaded again asks for its wallet when it is needed.
  await press(walletDialog(owner).getByRole('button', { name: 'Approve' }));
  await signTransaction(owner);
  // 'On its way' where the chain takes longer to confirm than the request waits.
  await expectToast(owner, /^Payout (?:sent|on its way)$/);
  await page.bringToFront();
  await expect(withdrawals(page).getByRole('listitem').first()).toContainText('Paid', { timeout: 60_000 });

  await site.restartWith({ DATABASE_URL: backup });
  loads.expected += 1;
  await page.reload();
  await expect(withdrawals(page)).toContainText('60 Snaps of your next withdrawals were paid already', {
    timeout: 60_000,
  });
  await withdraw(page);
  await approve(owner);
  await page.bringToFront();
  await expect(withdrawals(page).getByRole('listitem').first()).toContainText('Paid earlier, in', { timeout: 60_000 });
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
  await expect(reserves).toContainText('By the chain, 60 Snaps were paid.');
  await expect(reserves).toContainText(/Book: 60 Snaps paid0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}/);
  await expect(reserves).toContainText('The holder of its TreasuryCap can mint more');
  await expectFitsAtEach(owner, 'the reserves', SIZES);
  await look(owner);
  await expectContentAlive(owner);
  await owner.context().close();
});
