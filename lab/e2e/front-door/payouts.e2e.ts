/** Payouts without a person (R79): by rule and by key, stopped by a pause; a rejection by a person rings the bell. */
import type { Locator, Page } from '@playwright/test';
import { grantTokens } from '../fixtures.ts';
import {
  bellOf,
  chooseInMenu,
  type Database,
  enterAsAdmin,
  expect,
  expectToast,
  followNotice,
  press,
  signIn,
} from './door.ts';
import { MAX_SNAPS, test } from './payouts.ts';
import { expectVisibleToPerson } from './see.ts';

const newest = (page: Page): Locator =>
  page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem').first();

const MORE_SNAPS = 60;

async function withdraw(page: Page, snaps: number, says: string | RegExp): Promise<void> {
  await press(page.getByRole('button', { name: 'Withdraw Tokens' }));
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await expectVisibleToPerson(dialog.getByText(says));
  await dialog.getByLabel('Amount').fill(String(snaps));
  await press(dialog.getByRole('button', { name: 'Withdraw Tokens' }));
  await expectToast(page, 'Withdrawal requested!');
  await expect(dialog).toHaveCount(0);
}

async function twoRounds(database: Database): Promise<void> {
  const lastRun = async () => {
    const { rows } = await database.query<{ at: string }>(
      "SELECT succeeded_at::text AS at FROM job_runs WHERE name = 'pay-withdrawals'",
    );
    return rows[0]?.at;
  };
  for (let round = 0; round < 2; round += 1) {
    const before = await lastRun();
    await expect.poll(lastRun, { timeout: 60_000 }).not.toBe(before);
  }
}

test('a withdrawal is in a verified wallet within a minute and once, a pause makes the next one wait, and a rejection rings the bell [R79 R78]', async ({
  page,
  browser,
  database,
  site,
  loads,
}) => {
  await page.goto('/');
  const wallet = await signIn(page, { account: 'A voter of two months' });
  // A followed project has turned, and another one has a new name.
  await expect(bellOf(page, 2)).toBeVisible({ timeout: 90_000 });
  await press(bellOf(page, 2));
  await expectVisibleToPerson(page.getByRole('menuitem', { name: 'Longship Mutiny turned' }));
  await page.keyboard.press('Escape');
  await chooseInMenu(page, 'Portfolio');
  await withdraw(page, MAX_SNAPS, `Your wallet qualifies: up to ${MAX_SNAPS} Snaps are paid automatically`);
  await expect.poll(() => site.snapsOf(wallet), { timeout: 60_000 }).toBe(MAX_SNAPS);
  await expect(newest(page)).toContainText('Paid');
  await followNotice(page, `Withdrawal of ${MAX_SNAPS} Snaps paid to your wallet`);

  const { rows } = await database.query<{ id: number }>('SELECT id FROM users WHERE wallet_address = $1', [wallet]);
  await grantTokens(database, Number(rows[0]?.id), 2 * MORE_SNAPS);
  // The page shows the balance of the next visit.
  loads.expected += 1;
  await page.reload();
  // Above the most of 30 days a person approves; the key pays all that is approved.
  await withdraw(page, MORE_SNAPS, 'You have reached the 30-day limit for automatic payouts.');
  await expect(newest(page)).toContainText('Requested');
  const owner = await enterAsAdmin(browser, 'Withdrawals');
  const pause = owner.getByRole('switch', { name: 'Pause withdrawals' });
  await press(pause);
  await expectToast(owner, 'Withdrawals Paused');
  await press(owner.getByRole('button', { name: /^Approve withdrawal/ }));
  await expectToast(owner, 'Withdrawal approved');
  await twoRounds(database);
  await page.bringToFront();
  await expect(newest(page)).toContainText('Approved');
  expect(await site.snapsOf(wallet)).toBe(MAX_SNAPS);
  await owner.bringToFront();
  await press(pause);
  await expectToast(owner, 'Withdrawals Resumed');
  await expect.poll(() => site.snapsOf(wallet), { timeout: 60_000 }).toBe(MAX_SNAPS + MORE_SNAPS);
  await page.bringToFront();
  await expect(newest(page)).toContainText('Paid');
  await followNotice(page, `Withdrawal of ${MORE_SNAPS} Snaps paid to your wallet`);

  await withdraw(page, MORE_SNAPS, 'You have reached the 30-day limit for automatic payouts.');
  await owner.bringToFront();
  await press(owner.getByRole('tab', { name: 'Overview' }));
  await press(owner.getByRole('tab', { name: 'Withdrawals' }));
  await press(owner.getByRole('button', { name: /^Reject withdrawal/ }));
  const dialog = owner.getByRole('dialog', { name: /^Reject withdrawal/ });
  await dialog.getByLabel('Reason').fill('Ask again next month');
  await press(dialog.getByRole('button', { name: 'Reject' }));
  await expectToast(owner, 'Withdrawal rejected');
  await owner.context().close();
  await page.bringToFront();
  await followNotice(page, 'Ask again next month');
  await expect(newest(page)).toContainText('Rejected');
  expect(await site.snapsOf(wallet)).toBe(MAX_SNAPS + MORE_SNAPS);
});
