import { shortenAddress } from '#shared/text/text.ts';
import { adminKeypair, balanceMist, demoAccounts } from './chain.ts';
import { enterPassword, expect, test, voteOverHttp } from './fixtures.ts';
import { signPayment } from './paying.ts';

// All other journeys see the payout queue change. It runs alone, after the others.

const SNAPS_UNITS_PER_TOKEN = 1_000_000n;
const VOTES = 6;

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
    const { id: userId, address: walletAddress } = receiver.user;
    const data = { userId, walletAddress, tokenAmount: tokens };
    expect((await receiver.page.request.post('/api/withdrawals', { data })).status()).toBe(201);
  }
  await newPayer(await adminKeypair());
  await page.goto('/admin');
  await enterPassword(page);
  await page.getByRole('tab', { name: 'Withdrawals' }).click();
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
