import { shortenAddress } from '#shared/text.ts';
import { logIn } from './admin.ts';
import { adminKeypair, balanceMist, demoAccounts } from './chain.ts';
import { expect, test, type UserElsewhere, voteOverHttp } from './fixtures.ts';
import { signPayment } from './paying.ts';

// All other journeys see the changes of these: a pause, every listing renewed, the payout queue. They run alone, after the others.

const SNAPS_UNITS_PER_TOKEN = 1_000_000n;
/** Earns 60 tokens. */
const VOTES = 6;

const requestWithdrawal = ({ page, user }: UserElsewhere, tokenAmount: number) =>
  page.request.post('/api/withdrawals', { data: { userId: user.id, walletAddress: user.address, tokenAmount } });

test('the admin pauses and resumes withdrawals; users see the pause and are rejected during it [S2.40 S4.8]', async ({
  page,
  newAdmin,
  newUserElsewhere,
}) => {
  const other = await newUserElsewhere();
  await voteOverHttp(other.page.request, other.user.id, VOTES);
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
  const pause = page.getByRole('switch', { name: 'Pause withdrawals' });
  const dialog = other.page.getByRole('dialog', { name: 'Withdraw Tokens' });
  const openDialog = async () => {
    await other.page.goto('/portfolio');
    await other.page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  };

  await pause.click();
  await expect(page.getByText('Withdrawals Paused', { exact: true })).toBeVisible();
  await openDialog();
  await expect(dialog.getByText('Withdrawals are paused')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Withdraw Tokens' })).toBeDisabled();
  expect((await requestWithdrawal(other, 50)).status()).toBe(403);

  await pause.click();
  await expect(page.getByText('Withdrawals Resumed', { exact: true })).toBeVisible();
  await openDialog();
  await dialog.getByLabel('Amount').fill('60');
  await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(other.page.getByText('Withdrawal requested!', { exact: true })).toBeVisible();
});

test('the admin approves two withdrawals and pays both in one transaction [S4.8 R14 R33]', async ({
  page,
  newPayer,
  newUserElsewhere,
  database,
}) => {
  const payouts = [
    { receiver: await newUserElsewhere(), tokens: 50 },
    { receiver: await newUserElsewhere(), tokens: 60 },
  ];
  for (const { receiver, tokens } of payouts) {
    await voteOverHttp(receiver.page.request, receiver.user.id, VOTES);
    expect((await requestWithdrawal(receiver, tokens)).status()).toBe(201);
  }
  await newPayer(await adminKeypair());
  await page.goto('/admin');
  await logIn(page);
  // By id: other journeys leave requests of their own in the queue.
  for (const { receiver } of payouts) {
    const { rows } = await database.query<{ id: string }>('SELECT id FROM withdrawals WHERE user_id = $1', [
      receiver.user.id,
    ]);
    const approve = page.getByRole('button', { name: `Approve withdrawal ${rows[0]?.id}`, exact: true });
    await approve.click();
    await expect(approve).toBeHidden();
  }
  const ready = page.getByRole('region', { name: 'Ready to pay' });
  // These wallets have not been read yet: they are left out until the admin adds them.
  await expect(ready.getByText('2 withdrawals of unverified wallets left out.')).toBeVisible();
  await ready.getByRole('button', { name: 'Include unverified wallets' }).click();
  for (const { receiver, tokens } of payouts)
    await ready
      .getByRole('checkbox', { name: `${shortenAddress(receiver.user.address)} · ${tokens} Snaps · Not verified yet` })
      .check();
  await page.getByRole('button', { name: 'Pay 2 in one transaction' }).click();
  await signPayment(page);

  const { coinType } = (await demoAccounts()).demoCoin;
  const digests = new Set<string>();
  for (const { receiver, tokens } of payouts) {
    await receiver.page.goto('/portfolio');
    await expect(
      receiver.page.getByRole('region', { name: 'Your withdrawals' }).getByText('Paid', { exact: true }),
    ).toBeVisible({ timeout: 30_000 });
    expect(await balanceMist(receiver.user.address, coinType)).toBe(BigInt(tokens) * SNAPS_UNITS_PER_TOKEN);
    const { rows } = await database.query<{ state: string; digest: string }>(
      'SELECT state, digest FROM withdrawals WHERE user_id = $1',
      [receiver.user.id],
    );
    expect(rows).toEqual([{ state: 'paid', digest: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/) }]);
    digests.add(rows[0]?.digest ?? '');
  }
  expect(digests.size).toBe(1);
});

test('a quick query renews all listings after a dry run; sessions are out of reach of SQL [S2.40 R32]', async ({
  page,
  newAdmin,
  database,
}) => {
  const countExpired = async () => {
    const { rows } = await database.query<{ expired: number }>(
      'SELECT count(*)::int AS expired FROM projects WHERE expires_at <= now()',
    );
    return rows[0]?.expired;
  };
  await database.query("UPDATE projects SET expires_at = now() - interval '1 day' WHERE slug = 'sunday-solar'");
  const before = await countExpired();
  expect(before).toBeGreaterThan(0);
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
  await page.getByRole('tab', { name: /SQL/ }).click();
  await page.getByRole('button', { name: 'Fix slugs and renew all for 31 days' }).click();
  await expect(page.getByRole('region', { name: 'Dry run' })).toContainText('nothing is changed yet');
  expect(await countExpired()).toBe(before);
  await page.getByRole('button', { name: 'Commit' }).click();
  await expect(page.getByText('Query Executed', { exact: true })).toBeVisible();
  expect(await countExpired()).toBe(0);

  await page.getByLabel('SQL query').fill('SELECT * FROM sessions');
  await page.getByRole('button', { name: 'Run Query' }).click();
  await expect(page.getByText('SQL Error', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('permission denied for table sessions').first()).toBeVisible();
});

test('the audit log shows logins, settings, decisions, payouts and statements [R31 R32 R33]', async ({
  page,
  newAdmin,
  newUserElsewhere,
}) => {
  const other = await newUserElsewhere();
  await voteOverHttp(other.page.request, other.user.id, VOTES);
  const { withdrawal } = (await (await requestWithdrawal(other, 50)).json()) as { withdrawal: { id: number } };
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
  const token = (await page.evaluate(() => localStorage.getItem('snapswipe_admin_token'))) ?? '';
  const call = async (path: string, data: object = {}): Promise<unknown> => {
    const response = await page.request.post(`/api/admin/${path}`, { data, headers: { 'x-admin-token': token } });
    expect(response.status(), path).toBeLessThan(400);
    return response.json();
  };
  await call('config', { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' });
  await call(`withdrawals/${withdrawal.id}/approve`);
  const { batchId } = (await call('payouts', { withdrawalIds: [withdrawal.id] })) as { batchId: string };
  await call(`payouts/${batchId}/cancel`);
  await call(`withdrawals/${withdrawal.id}/reject`, { reason: 'Not this time' });
  await call('execute-sql', { sqlQuery: 'UPDATE projects SET name = name WHERE false' });
  await call('execute-sql', { sqlQuery: 'SELECT * FROM sessions' });

  await page.getByRole('tab', { name: /Audit/ }).click();
  const audit = page.getByRole('region', { name: 'Audit log' });
  for (const words of [
    'login',
    /WITHDRAWALS_PAUSED/,
    'withdrawal.approve',
    'payout.prepare',
    'payout.cancel',
    'withdrawal.reject',
    /UPDATE projects SET/,
    /SELECT \* FROM sessions/,
  ])
    await expect(audit.getByText(words).first()).toBeVisible();
});
