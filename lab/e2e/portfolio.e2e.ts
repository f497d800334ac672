import type { Page } from '@playwright/test';
import { listPayments, type Payment, PHASE_OF } from '#shared/contract/payments.ts';
import { type listProjects, listWalletProjects } from '#shared/contract/projects.ts';
import { getStanding } from '#shared/contract/standing.ts';
import { listVotes } from '#shared/contract/users.ts';
import { listWithdrawals, WithdrawalState } from '#shared/contract/withdrawals.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { ownResponse, respond, SHOWN } from './made-up.ts';

const now = new Date().toISOString();
const DIGEST = '7Qm2pWn9KcV4tRz8LbYh3DfGj6sAeUoTiPqXwNvMkBaa';

const WITHDRAWALS = WithdrawalState.options.map((state, i) => ({
  id: i + 1,
  tokenAmount: 100 * (i + 1),
  walletAddress: `0x${'0'.repeat(64)}`,
  state,
  digest: state === 'paid' ? DIGEST : null,
  paidEarlier: false,
  reason: state === 'rejected' ? `Because it was ${state}` : null,
  createdAt: now,
  updatedAt: now,
}));

const payment = (state: Payment['state'], rest: Partial<Payment>): Payment => ({
  paymentId: crypto.randomUUID(),
  purpose: 'submit',
  state,
  phase: PHASE_OF[state],
  projectId: null,
  projectName: 'Driftwood Harbour',
  amountMist: '15000000000',
  receivedMist: null,
  transactionHash: null,
  note: null,
  createdAt: now,
  updatedAt: now,
  ...rest,
});
const PAYMENTS = [
  payment('draft', {}),
  payment('signed', { transactionHash: DIGEST }),
  payment('unclaimed', { transactionHash: DIGEST, receivedMist: '14000000000', note: 'The name was taken meanwhile.' }),
];

/** A long history without touching what other journeys share: the responses of the API are made up. */
async function giveHistory(page: Page): Promise<void> {
  const listed = async () =>
    (await (await page.request.get('/api/projects')).json()) as ResponseOf<typeof listProjects>;
  await page.route('**/api/withdrawals', (route) =>
    respond(route, listWithdrawals, { paused: false, prepaid: null, withdrawals: WITHDRAWALS }),
  );
  await page.route('**/api/payments', (route) => respond(route, listPayments, PAYMENTS));
  await page.route('**/api/users/*/votes', async (route) => {
    const votes = (await listed()).slice(0, 4).map(({ id, slug, name, category, imageUrl }, i) => ({
      id: String(i + 1),
      voteType: i % 2 ? ('bearish' as const) : ('bullish' as const),
      tokensEarned: 10,
      createdAt: now,
      since: now,
      saidAt: now,
      changeableFrom: null,
      state: i % 2 ? ('waiting' as const) : ('verified' as const),
      period: 1,
      opinions: [{ voteType: i % 2 ? ('bearish' as const) : ('bullish' as const), saidAt: now, identity: 1 }],
      counts: true,
      evidence: { isDecided: i % 2 === 0, daysRead: 35, daysHeld: 30 },
      when: i % 2 ? 'Counts on Monday 30 Nov, if you hold 1 SUI' : null,
      detail: null,
      call: { before: { bullish: 71, bearish: 29 }, now: { bullish: 52, bearish: 48 }, move: 'away' as const },
      project: { id, slug, name, category, imageUrl },
    }));
    await respond(route, listVotes, votes);
  });
  await page.route('**/api/users/*/standing', async (route) => {
    const results = ['unread', 'not_held', 'held', 'held', 'held', 'held', 'held'] as const;
    const days = results.map((result, i) => ({ day: `2026-11-${20 + i}`, result }));
    await respond(route, getStanding, { ...(await ownResponse(route, getStanding)), days });
  });
  await page.route('**/api/projects/wallet/*', async (route) => {
    const hidden = { ...SHOWN, hiddenReason: 'The picture belongs to another project' };
    await respond(
      route,
      listWalletProjects,
      (await listed()).slice(0, 1).map((project) => ({ ...project, ...hidden })),
    );
  });
}

test('a full portfolio says each state in words, and axe finds nothing [S2.26 R14 R16]', async ({ page, newUser }) => {
  await newUser();
  await giveHistory(page);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Show all 4' }).click();
  const withdrawals = page.getByRole('region', { name: 'Your withdrawals' });
  for (const state of ['Requested', 'Approved', 'Paid', 'Rejected'])
    await expect(withdrawals.getByText(state, { exact: true })).toBeVisible();
  await expect(withdrawals.getByText('Because it was rejected')).toBeVisible();

  const open = page.getByRole('region', { name: 'Open payments' });
  await expect(open.getByText('This payment needs a review by our team')).toBeVisible();
  await expect(open.getByText('New listing of Driftwood Harbour, 14 SUI. The name was taken meanwhile.')).toBeVisible();
  await expect(open.getByText('Looking for your payment')).toBeVisible();

  const history = page.getByRole('region', { name: 'Recent Voting History' });
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await expect(history.getByText('Bearish')).toHaveCount(1);
  await history.getByRole('button', { name: 'See all your calls' }).click();
  await expect(page.getByRole('list', { name: 'All your calls' }).getByRole('listitem').first()).toContainText(
    /Bullish \d+ \w+ \d{4} at 71%, now 52%/,
  );

  await expect(page.getByText('Counts on Monday 30 Nov, if you hold 1 SUI').first()).toBeVisible();
  const standing = page.getByRole('region', { name: 'Are your votes verified?' });
  await expect(standing.getByText(/^Your votes can be verified on Monday \d+ \w+\.$/)).toBeVisible();
  const days = standing.getByRole('list', { name: 'The last days checked' }).getByRole('listitem');
  await expect(days).toHaveText(
    ['not read', 'held too little', ...Array<string>(5).fill('held enough')].map((text) => new RegExp(`: ${text}$`)),
  );

  await expect(page.getByText('Hidden by the admin: The picture belongs to another project')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Renew|Update)/ })).toHaveCount(0);

  await page.getByText('Paid, but nothing happened?').click();
  await expect(page.getByLabel('What the payment was for')).toContainText('new listing of Driftwood Harbour, 15 SUI');
  await expectAccessible(page);
});

test('Back from a project, and a reload there, return to its line in the diary [R90]', async ({ page, newUser }) => {
  await newUser();
  await giveHistory(page);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'See all your calls' }).click();
  const last = page.getByRole('list', { name: 'All your calls' }).getByRole('link').last();
  await last.click();
  await expect(page).toHaveURL(/\/projects\//);
  await page.goBack();
  await expect(last).toBeInViewport();
  await page.reload();
  await expect(last).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Your calls' })).not.toBeFocused();
});
