import { SuiGrpcClient } from '@mysten/sui/grpc';
import type { Page } from '@playwright/test';
import { shortenAddress } from '#shared/text.ts';
import { logIn, type Visitor, visitor } from './admin.ts';
import { expect, test, voteByButton, voteOverHttp } from './fixtures.ts';

// The journey changes what all others see (a pause, every listing renewed), so it runs alone, after them.

const SNAPS_UNITS_PER_TOKEN = 1_000_000n;

/** Earns tokens the honest way: votes, the first of them in the deck. */
async function earn({ page, user }: Visitor, votes: number): Promise<void> {
  await page.goto('/');
  await voteByButton(page, 'Bullish');
  await voteOverHttp(page.request, user.id, votes - 1);
}

async function openWithdrawDialog(page: Page) {
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  return page.getByRole('dialog', { name: 'Withdraw Tokens' });
}

test('from swipe to coin: withdraw, pause, approve, pay two in one transaction, and the audit log tells it [S2.40 S4.8 R33]', async ({
  page,
  signIn,
  browser,
  baseURL,
  database,
}) => {
  test.setTimeout(300_000);
  const [first, second] = [await visitor(browser, baseURL ?? ''), await visitor(browser, baseURL ?? '')];
  for (const somebody of [first, second]) await earn(somebody, 6);

  // One asks for 50.
  const dialog = await openWithdrawDialog(first.page);
  await dialog.getByLabel('Amount').fill('49');
  await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(dialog.getByText('Minimum withdrawal is 50 tokens')).toBeVisible();
  await dialog.getByLabel('Amount').fill('50');
  await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(first.page.getByText('Withdrawal requested!', { exact: true })).toBeVisible();
  await expect(first.page.getByRole('region', { name: 'Your withdrawals' }).getByText('50 tokens')).toBeVisible();

  // The admin pauses: the other is refused, and sees it before filling anything in.
  await page.goto('/');
  await signIn({ admin: true });
  await page.goto('/admin');
  await logIn(page);
  await page.getByRole('switch', { name: 'Pause withdrawals' }).click();
  await expect(page.getByText('Withdrawals Paused', { exact: true })).toBeVisible();
  const paused = await openWithdrawDialog(second.page);
  await expect(paused.getByText('Withdrawals are paused')).toBeVisible();
  await expect(paused.getByRole('button', { name: 'Withdraw Tokens' })).toBeDisabled();
  const refused = await second.page.request.post('/api/withdrawals', {
    data: { userId: second.user.id, walletAddress: second.user.address, tokenAmount: 50 },
  });
  expect(refused.status()).toBe(403);

  await page.getByRole('switch', { name: 'Pause withdrawals' }).click();
  await expect(page.getByText('Withdrawals Resumed', { exact: true })).toBeVisible();
  const resumed = await openWithdrawDialog(second.page);
  await resumed.getByLabel('Amount').fill('60');
  await resumed.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(second.page.getByText('Withdrawal requested!', { exact: true })).toBeVisible();

  // Approve both, pay both in one transaction that the admin's wallet signs.
  await page.reload();
  // By id: other journeys leave requests of their own in the queue.
  for (const { user } of [first, second]) {
    const { rows } = await database.query<{ id: string }>('SELECT id FROM withdrawals WHERE user_id = $1', [user.id]);
    const approve = page.getByRole('button', { name: `Approve withdrawal ${rows[0]?.id}`, exact: true });
    await approve.click();
    await expect(approve).toBeHidden();
  }
  const ready = page.getByRole('region', { name: 'Ready to pay' });
  for (const [{ user }, tokens] of [
    [first, 50],
    [second, 60],
  ] as const)
    await expect(ready.getByText(`${shortenAddress(user.address)} · ${tokens} tokens`)).toBeVisible();
  await page.getByRole('button', { name: 'Pay 2 in one transaction' }).click();
  // After the reload the wallet is asked again whether it wants to be connected.
  await page.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }).click();

  const sui = new SuiGrpcClient({ network: 'localnet', baseUrl: process.env.E2E_RPC_URL ?? '' });
  const { demoCoin } = (await (await fetch(`${process.env.E2E_FAUCET_URL}/demo-accounts`)).json()) as {
    demoCoin: { coinType: string };
  };
  const digests = new Set<string>();
  for (const [{ user, page: userPage }, tokens] of [
    [first, 50n],
    [second, 60n],
  ] as const) {
    await userPage.goto('/portfolio');
    await expect(
      userPage.getByRole('region', { name: 'Your withdrawals' }).getByText('Paid', { exact: true }),
    ).toBeVisible({ timeout: 30_000 });
    const { balance } = await sui.getBalance({ owner: user.address, coinType: demoCoin.coinType });
    expect(BigInt(balance.balance)).toBe(tokens * SNAPS_UNITS_PER_TOKEN);
    const { rows } = await database.query<{ state: string; digest: string }>(
      'SELECT state, digest FROM withdrawals WHERE user_id = $1',
      [user.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.state).toBe('paid');
    digests.add(rows[0]?.digest ?? '');
  }
  expect(digests.size).toBe(1);
  expect([...digests][0]).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);

  // The console: renew all by the quick query, seen in a dry run first.
  await page.getByRole('tab', { name: /SQL/ }).click();
  await database.query("UPDATE projects SET expires_at = now() - interval '1 day' WHERE slug = 'sunday-solar'");
  const before = await database.query<{ expired: number }>(
    'SELECT count(*)::int AS expired FROM projects WHERE expires_at <= now()',
  );
  expect(before.rows[0]?.expired).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Fix slugs and renew all for 31 days' }).click();
  await expect(page.getByRole('region', { name: 'Dry run' })).toContainText('nothing is changed yet');
  expect(
    (await database.query('SELECT count(*)::int AS expired FROM projects WHERE expires_at <= now()')).rows,
  ).toEqual(before.rows);
  await page.getByRole('button', { name: 'Commit' }).click();
  await expect(page.getByText('Query Executed', { exact: true })).toBeVisible();
  expect(
    (await database.query('SELECT count(*)::int AS expired FROM projects WHERE expires_at <= now()')).rows,
  ).toEqual([{ expired: 0 }]);
  await page.getByLabel('SQL query').fill('SELECT * FROM sessions');
  await page.getByRole('button', { name: 'Run Query' }).click();
  await expect(page.getByText('SQL Error', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('permission denied for table sessions').first()).toBeVisible();

  // And the audit log tells it all.
  await page.getByRole('tab', { name: /Audit/ }).click();
  const audit = page.getByRole('region', { name: 'Audit log' });
  for (const words of [
    /login/i,
    /WITHDRAWALS_PAUSED/,
    /approve/i,
    /payout/i,
    /UPDATE projects SET/,
    /SELECT \* FROM sessions/,
  ]) {
    await expect(audit.getByText(words).first()).toBeVisible();
  }
  for (const { context } of [first, second]) await context.close();
});
