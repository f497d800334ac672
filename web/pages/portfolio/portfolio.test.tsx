// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listPayments } from '#shared/contract/payments.ts';
import { listWalletProjects } from '#shared/contract/projects.ts';
import { getStanding } from '#shared/contract/standing.ts';
import { getCalls, getStats, listActivity, listVotes } from '#shared/contract/users.ts';
import {
  getWithdrawalTerms,
  listWithdrawals,
  requestWithdrawal,
  WithdrawalState,
  type WithdrawalTerms,
} from '#shared/contract/withdrawals.ts';
import { journal } from '../../payments/journal.ts';
import { queryClient } from '../../lib/queries.ts';
import { setSite } from '../../lib/site.ts';
import {
  activityOf,
  callsOf,
  ownProjectOf,
  SITE,
  standingOf,
  STATS,
  statsOf,
  withdrawalOf,
} from '../../testing/made-up.ts';
import { draw, pass, pressToLoad, toastShown, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { PortfolioPage } from './portfolio-page.tsx';

const server = useTestPage();
const DIGEST = 'D'.repeat(44);

const WAITS = { paid: 4, medianSeconds: 120, longestSeconds: 7_200, open: 1, oldestOpenSeconds: 600 };
const TERMS: WithdrawalTerms = { waits: WAITS, automatic: null, missing: [] };

beforeEach(() => {
  for (const { paymentId } of journal.get()) journal.remove(paymentId);
  server().respond(getStats, STATS);
  server().respond(listWithdrawals, { paused: false, prepaid: null, withdrawals: [] }, { total: 0 });
  server().respond(getWithdrawalTerms, TERMS);
  server().respond(listWalletProjects, [], { total: 0 });
  server().respond(listPayments, [], { total: 0 });
  server().respond(getCalls, callsOf());
  server().respond(listVotes, [], { total: 0 });
  server().respond(listActivity, [], { total: 0 });
  server().respond(getStanding, standingOf());
});

const region = async (name: string) => within(await screen.findByRole('region', { name }));

describe('a withdrawal [S2.32 S5.5 R14]', () => {
  async function open() {
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    await pressToLoad(screen.getByRole('button', { name: 'Withdraw Tokens' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw Tokens' }));
    return {
      user,
      dialog,
      amount: dialog.getByLabelText('Amount'),
      send: dialog.getByRole('button', { name: 'Withdraw Tokens' }),
    };
  }
  const keys = () =>
    server()
      .calls(requestWithdrawal)
      .map(({ headers }) => headers.get('idempotency-key'));

  const AUTOMATIC = { maxSnaps: 500, leftSnaps: 440, isPaid: true };
  test.each<[text: string, terms: Partial<WithdrawalTerms>]>([
    ['Your wallet qualifies for a payout. We approve it by hand.', {}],
    [
      'Your wallet qualifies: up to 440 Snaps are paid automatically, usually within a minute.',
      { automatic: AUTOMATIC },
    ],
    [
      'Your wallet qualifies: up to 440 Snaps are approved automatically. We send the payout by hand.',
      { automatic: { ...AUTOMATIC, isPaid: false } },
    ],
    [
      'Your wallet held enough SUI on fewer than 18 of the last 35 days checked.',
      { automatic: AUTOMATIC, missing: ['days_held'] },
    ],
    ['Some of your votes are excluded.', { automatic: AUTOMATIC, missing: ['excluded_votes'] }],
    ['Automatic payouts wait for the next check of the books.', { automatic: AUTOMATIC, missing: ['books'] }],
  ])('the withdrawal dialog says: %s [R79]', async (text, terms) => {
    server().respond(getWithdrawalTerms, { ...TERMS, ...terms });
    const { dialog } = await open();
    expect(await dialog.findByText(text)).toBeTruthy();
    expect(dialog.getByText(/^Last 30 days: 4 withdrawals paid, half of them in 2 minutes or less/)).toBeTruthy();
  });

  test.each([
    [null, 'This site has no payout coin yet. The team decides what a payout is and when.'],
    ['0x12::snaps::SNAPS', '1 Snap = 1 SNAPS on Sui. It has no set price.'],
  ])('the withdrawal dialog names the value of a Snap for coin %s', async (snapsCoinType, text) => {
    setSite({ ...SITE, snapsCoinType });
    const { dialog } = await open();
    expect(dialog.getByText(text)).toBeVisible();
    // The coin's long name is folded.
    expect(dialog.queryByText(snapsCoinType ?? 'none')?.closest('details')?.open ?? false).toBe(false);
  });

  test('a lost withdrawal is repeated with its key, and a rejected or changed one has a new key [S3.9 S8.13]', async () => {
    server().failSilently(requestWithdrawal);
    const { user, amount, send } = await open();
    await user.type(amount, '60');
    await user.click(send);
    expect(await toastShown('Withdrawal failed')).toMatchObject({ description: 'Failed to request withdrawal' });
    await user.click(send);
    await waitFor(() => expect(keys()).toHaveLength(2));
    expect(keys()[1]).toBe(keys()[0]);
    server().reject(requestWithdrawal, 400, { error: 'paused', message: 'Withdrawals are paused' });
    await user.click(send);
    await waitFor(() => expect(toasts.get()[0]?.description).toBe('Withdrawals are paused'));
    expect(keys()[2]).toBe(keys()[0]);
    await user.click(send);
    await waitFor(() => expect(keys()).toHaveLength(4));
    expect(keys()[3]).not.toBe(keys()[0]);
    server().failSilently(requestWithdrawal, 500);
    await waitFor(() => expect(send).toBeEnabled());
    await user.click(send);
    await waitFor(() => expect(keys()).toHaveLength(5));
    await waitFor(() => expect(send).not.toHaveTextContent('Requesting...'));
    await user.clear(amount);
    await user.type(amount, '61');
    await user.click(send);
    await waitFor(() => expect(keys()).toHaveLength(6));
    expect(keys()[5]).not.toBe(keys()[4]);
  });

  test('a pause disables the withdrawal dialog [S4.8]', async () => {
    server().respond(listWithdrawals, { paused: true, prepaid: null, withdrawals: [withdrawalOf(1)] }, { total: 1 });
    const { user, dialog, amount, send } = await open();
    expect(await dialog.findByText('Withdrawals are paused')).toBeVisible();
    expect(send).toBeDisabled();
    expect(amount).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Max' })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect((await region('Your withdrawals')).getByText('Paused')).toBeVisible();
  });
});

test('the totals of a user are in their places, and a portfolio without any of them leads to the first listing [S2.26 S2.27 S2.28]', async () => {
  server().respond(getStats, { ...STATS, tokenBalance: 1_230, totalVotes: 41, bullishVotes: 26, bearishVotes: 15 });
  const { unmount } = draw(<PortfolioPage />);
  for (const [title, value] of Object.entries({
    'Total Tokens': '1,230',
    'Total Votes': '41',
    'Bullish Votes': '26',
    'Bearish Votes': '15',
  }))
    await waitFor(() => expect(screen.getByText(title).parentElement).toHaveTextContent(`${title}${value}`));
  unmount();
  queryClient.clear();
  server().respond(getStats, statsOf(0));
  draw(<PortfolioPage />);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Withdraw Tokens' })).toBeDisabled());
  const text = 'No active projects yet. Submit your first project to get started!';
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('region', { name: 'Recent Voting History' })).toBeVisible();
});

test('each state of a withdrawal is said in words, a rejected one with its reason [R14]', async () => {
  const rows = WithdrawalState.options.map((state, id) =>
    withdrawalOf(id + 1, {
      state,
      digest: state === 'paid' ? DIGEST : null,
      reason: state === 'rejected' ? 'Sent twice' : null,
    }),
  );
  server().respond(listWithdrawals, { paused: false, prepaid: null, withdrawals: rows }, { total: rows.length });
  draw(<PortfolioPage />);
  const list = await region('Your withdrawals');
  await userEvent.setup().click(await list.findByRole('button', { name: 'Show all 4' }));
  for (const words of ['Requested', 'Approved', 'Paid', 'Rejected', 'Sent twice'])
    expect(await list.findByText(words)).toBeVisible();
});

test('a payout that a restore lost is said before it is asked for, and where it was paid [R97]', async () => {
  const rows = [withdrawalOf(2, { state: 'paid', digest: DIGEST, paidEarlier: true })];
  const prepaid = { snaps: 40, digest: DIGEST };
  server().respond(listWithdrawals, { paused: false, prepaid, withdrawals: rows }, { total: 1 });
  draw(<PortfolioPage />);
  const list = await region('Your withdrawals');
  expect(list.getByText(/40 Snaps of your next withdrawals were paid already, in/)).toBeVisible();
  expect(list.getByText('Paid earlier, in')).toBeVisible();
});

test('activity shows five lines first, their change of tokens, and a link to receipts of payments [R36]', async () => {
  const rows = [
    activityOf(7, { tokens: -10000 }),
    activityOf(6, { kind: 'review_posted', tokens: 1000 }),
    activityOf(5, { kind: 'withdrawal_paid', digest: DIGEST }),
    ...[4, 3, 2, 1].map((id) => activityOf(id)),
  ];
  server().respond(listActivity, rows, { total: 7 });
  const only = (name: string | RegExp) => expect(list.getByRole('button')).toHaveAccessibleName(name);
  const user = userEvent.setup();
  const { unmount } = draw(<PortfolioPage />);
  const list = await region('Activity');
  await list.findByText('Line 7');
  const texts = list.getAllByRole('listitem').map((row) => row.textContent ?? '');
  expect(texts).toHaveLength(5);
  expect(texts[0]).toMatch(/^Line 7−10,000/);
  expect(texts[1]).toMatch(/^Line 6\+1,000/);
  expect(texts[2]).toMatch(/^Line 5[^+−]+DDDDDDDD…DDDDDD/);
  // A payout is not a payment of the user.
  expect(list.queryByRole('link', { name: 'Receipts (CSV)' })).toBeNull();
  only('Show all 7');
  await user.click(list.getByRole('button'));
  expect(list.getAllByRole('listitem')).toHaveLength(7);
  expect(list.queryByRole('button')).toBeNull();
  unmount();
  server().respond(listActivity, [activityOf(8, { kind: 'project_renewed', digest: DIGEST })], { total: 1 });
  queryClient.clear();
  draw(<PortfolioPage />);
  expect(await screen.findByRole('link', { name: 'Receipts (CSV)' })).toHaveAttribute('href', '/api/payments.csv');
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

test('a paid listing links to its badge and next steps [R36 R50]', async () => {
  const paid = { kind: 'project_submitted', projectSlug: 'tide' } as const;
  const other = { kind: 'project_updated', projectSlug: 'tide' } as const;
  server().respond(listActivity, [activityOf(2, paid), activityOf(1, other)], { total: 2 });
  draw(<PortfolioPage />);
  const list = await region('Activity');
  expect(await list.findAllByRole('link')).toHaveLength(1);
  expect(list.getByRole('link', { name: 'Link, badge, and what happens next' })).toHaveAttribute(
    'href',
    '/projects/tide/insights?welcome',
  );
});

test('a project moves to the expired ones at its end [R28 S2.29 S2.30]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const soon = new Date(Date.now() + 60_000).toISOString();
  server().respond(listWalletProjects, [ownProjectOf(1, { expiresAt: soon })], { total: 1 });
  draw(<PortfolioPage />);
  await pass(100);
  expect(screen.getByRole('heading', { name: 'Active Projects (1)' })).toBeVisible();
  await pass(59_000);
  expect(screen.getByRole('heading', { name: 'Active Projects (1)' })).toBeVisible();
  await pass(31_000);
  expect(screen.getByRole('heading', { name: 'Active Projects (0)' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Expired Projects (1)' })).toBeVisible();
  expect(screen.getByText(/^Expired 0d 0h/)).toBeVisible();
});
