// @vitest-environment happy-dom
/** The portfolio: tokens and their withdrawal, own projects, votes, activity, payments. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  cancelPayment,
  executePayment,
  listPayments,
  type Payment,
  preparePayment,
} from '#shared/contract/payments.ts';
import { listWalletProjects, renewProject, updateProject } from '#shared/contract/projects.ts';
import { getStanding } from '#shared/contract/standing.ts';
import { type Activity, getStats, listActivity, listVotes, type VoteHistoryItem } from '#shared/contract/users.ts';
import { listWithdrawals, requestWithdrawal, type Withdrawal } from '#shared/contract/withdrawals.ts';
import { journal } from '../../payments/journal.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { setSite } from '../../lib/site.ts';
import {
  openOrderOf,
  ADDRESS,
  ADMIN,
  ownProjectOf,
  paymentOf,
  projectOf,
  SITE,
  standingOf,
  STATS,
  TIME,
  USER,
} from '../../testing/made-up.ts';
import { act, draw, pass, pressToLoad, toastShown, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { PortfolioPage } from './portfolio-page.tsx';

const server = useTestPage();
const DIGEST = 'D'.repeat(44);
const PAYMENT_ID = '22222222-2222-4222-8222-222222222222';

const withdrawal = (id: number, changes: Partial<Withdrawal> = {}): Withdrawal => ({
  id,
  tokenAmount: 1000 + id,
  walletAddress: ADDRESS,
  state: 'requested',
  digest: null,
  reason: null,
  createdAt: TIME,
  updatedAt: TIME,
  ...changes,
});
const line = (id: number, changes: Partial<Activity> = {}): Activity => ({
  id,
  kind: 'review_posted',
  text: `Line ${id}`,
  tokens: 0,
  amountMist: null,
  digest: null,
  projectSlug: null,
  createdAt: TIME,
  ...changes,
});
const vote = (id: number, changes: Partial<VoteHistoryItem> = {}): VoteHistoryItem => ({
  id: `7-${id}`,
  voteType: 'bullish',
  tokensEarned: 10,
  createdAt: TIME,
  state: 'verified',
  period: 1,
  counts: true,
  evidence: { isDecided: false, daysRead: 0, daysHeld: 0 },
  detail: null,
  project: { id, slug: `project-${id}`, name: `Project ${id}`, category: 'DeFi' },
  ...changes,
});

beforeEach(() => {
  for (const { paymentId } of journal.get()) journal.remove(paymentId);
  server().respond(getStats, STATS);
  server().respond(listWithdrawals, { paused: false, withdrawals: [] }, { total: 0 });
  server().respond(listWalletProjects, [], { total: 0 });
  server().respond(listPayments, [], { total: 0 });
  server().respond(listVotes, [], { total: 0 });
  server().respond(listActivity, [], { total: 0 });
  server().respond(getStanding, standingOf());
});

const region = async (name: string) => within(await screen.findByRole('region', { name }));

describe('tokens and votes [S2.27]', () => {
  test('each figure has its number', async () => {
    draw(<PortfolioPage />);
    const figure = (name: string) =>
      screen.getByRole('heading', { name }).closest('.panel')?.querySelector('p')?.textContent;
    await waitFor(() => expect(server().calls(getStats)).toHaveLength(1));
    expect(['Total Tokens', 'Total Votes', 'Bullish Votes', 'Bearish Votes'].map(figure)).toEqual([
      '120',
      '12',
      '9',
      '3',
    ]);
    expect(screen.getByText('0x1200...cdef')).toHaveAttribute('title', ADDRESS);
  });

  test('fewer than 50 tokens cannot be withdrawn', async () => {
    session.signedIn({ user: USER, stats: { ...STATS, tokenBalance: 49 } });
    server().respond(getStats, { ...STATS, tokenBalance: 49 });
    draw(<PortfolioPage />);
    const button = screen.getByRole('button', { name: 'Withdraw Tokens' });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription('From 50 Snaps');
    act(() => session.updateStats(USER.id, { ...STATS, tokenBalance: 50 }));
    await screen.findByText('No votes yet. Swipe a card to cast your first one.');
  });

  test('numbers that cannot be read again stay, and say so [S8.2]', async () => {
    server().failSilently(getStats);
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    expect(await screen.findByText(/These numbers may be out of date/)).toHaveTextContent(
      'Failed to fetch user stats.',
    );
    server().respond(getStats, { ...STATS, totalVotes: 77 });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('77')).toBeVisible();
    expect(session.get().stats?.totalVotes).toBe(77);
    expect(screen.queryByText(/out of date/)).toBeNull();
  });
});

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

  test.each([
    [null, 'This site has no payout coin yet. The team decides what a payout is and when.'],
    ['0x12::snaps::SNAPS', '1 Snap is paid as 1 SNAPS on Sui. Snapswipe sets no price for it.'],
  ])('says what a Snap is worth and in which coin it is paid: %s', async (snapsCoinType, text) => {
    setSite({ ...SITE, snapsCoinType });
    const { dialog } = await open();
    expect(dialog.getByText(text)).toBeVisible();
    // The coin's long name is folded.
    expect(dialog.queryByText(snapsCoinType ?? 'none')?.closest('details')?.open ?? false).toBe(false);
  });

  test('Max is the balance; what was requested is shown and the balance falls', async () => {
    const after = { ...STATS, tokenBalance: 0 };
    server().respond(requestWithdrawal, { withdrawal: withdrawal(1), userStats: after });
    const { user, dialog, amount, send } = await open();
    expect(dialog.getByText('To your wallet 0x1200...cdef')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Max' }));
    expect(amount).toHaveValue('120');
    server().respond(getStats, after);
    server().respond(listWithdrawals, { paused: false, withdrawals: [withdrawal(1)] }, { total: 1 });
    await user.click(send);
    expect(await toastShown()).toMatchObject({ title: 'Withdrawal requested!', variant: 'success' });
    expect(server().calls(requestWithdrawal)[0]?.body).toEqual({ userId: 7, walletAddress: ADDRESS, tokenAmount: 120 });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(session.get().stats?.tokenBalance).toBe(0);
    expect(await (await region('Your withdrawals')).findByText('1,001 Snaps')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Withdraw Tokens' })).toBeDisabled();
  });

  test('shows an error beside the field and in a toast, removes it on input, and sends nothing', async () => {
    const { user, amount, send } = await open();
    await user.type(amount, '49');
    await user.click(send);
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/Minimum withdrawal is 50 tokens$/));
    expect(toasts.get()[0]).toMatchObject({ title: 'Invalid amount', variant: 'destructive' });
    expect(amount).toBeInvalid();
    await user.type(amount, '9');
    expect(amount).not.toBeInvalid();
    await user.click(send);
    await waitFor(() => expect(toasts.get()[0]?.title).toBe('Insufficient balance'));
    expect(server().calls(requestWithdrawal)).toEqual([]);
  });

  test('a lost response is followed by the same request, a rejection or another amount by a new one', async () => {
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

  test('is under way until its response: nothing can be changed, sent again or closed', async () => {
    const response = Promise.withResolvers<{ withdrawal: Withdrawal; userStats: typeof STATS }>();
    server().respond(requestWithdrawal, () => response.promise);
    const { user, dialog, amount, send } = await open();
    await user.type(amount, '60');
    await user.click(send);
    expect(await dialog.findByText('Requesting...')).toBeVisible();
    expect(amount).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeVisible();
    response.resolve({ withdrawal: withdrawal(1), userStats: STATS });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('a pause shows before anything is typed; Cancel closes [S4.8]', async () => {
    server().respond(listWithdrawals, { paused: true, withdrawals: [withdrawal(1)] }, { total: 1 });
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

describe('the lists', () => {
  test('three withdrawals with state, digest and reason; more on request', async () => {
    const rows = [
      withdrawal(4, { state: 'paid', digest: DIGEST }),
      withdrawal(3, { state: 'rejected', reason: 'Bots' }),
      withdrawal(2, { state: 'paid' }),
      withdrawal(1, { state: 'paid' }),
    ];
    server().respond(listWithdrawals, { paused: false, withdrawals: rows }, { total: 4 });
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    const list = await region('Your withdrawals');
    expect(list.getAllByRole('listitem').map((row) => row.querySelector('p')?.textContent)).toEqual([
      '1,004 Snaps',
      '1,003 Snaps',
      '1,002 Snaps',
    ]);
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent('Paid');
    expect(list.getByRole('link')).toHaveAttribute('href', `https://explorer.example/tx/${DIGEST}`);
    expect(list.getAllByRole('listitem')[1]).toHaveTextContent('Bots');
    expect(list.queryByText('Paused')).toBeNull();
    await user.click(list.getByRole('button', { name: 'Show all 4' }));
    expect(list.getAllByRole('listitem')).toHaveLength(4);
  });

  test('an open withdrawal is polled, finished ones are not [R14]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().respond(listWithdrawals, { paused: false, withdrawals: [withdrawal(1)] }, { total: 1 });
    draw(<PortfolioPage />);
    await pass(100);
    const asked = () => server().calls(listWithdrawals).length;
    expect(asked()).toBe(1);
    server().respond(listWithdrawals, { paused: false, withdrawals: [withdrawal(1, { state: 'paid' })] }, { total: 1 });
    await pass(9_000);
    expect(asked()).toBe(1);
    await pass(1_500);
    expect(asked()).toBe(2);
    await pass(20_000);
    expect(asked()).toBe(2);
  });

  test('the last three votes, each with its project, direction and tokens [S2.28]', async () => {
    server().respond(listVotes, [vote(4), vote(3, { voteType: 'bearish' }), vote(2), vote(1)], { total: 4 });
    draw(<PortfolioPage />);
    const list = await region('Recent Voting History');
    await list.findByText('Project 4');
    expect(list.getAllByRole('listitem').map((row) => /Bullish|Bearish/.exec(row.textContent ?? '')?.[0])).toEqual([
      'Bullish',
      'Bearish',
      'Bullish',
    ]);
    expect(list.getByRole('link', { name: 'Project 4' })).toHaveAttribute('href', '/projects/project-4');
    expect(list.getAllByText('+10 tokens')).toHaveLength(3);
  });

  test('activity: five lines with the change of tokens, the rest on request, receipts where something was paid [R36]', async () => {
    const rows = [
      line(7, { tokens: -10000 }),
      line(6, { kind: 'review_posted', tokens: 1000 }),
      line(5, { kind: 'withdrawal_paid', digest: DIGEST }),
      ...[4, 3, 2, 1].map((id) => line(id)),
    ];
    server().respond(listActivity, rows, { total: 7 });
    const only = (name: string | RegExp) => expect(list.getByRole('button')).toHaveAccessibleName(name);
    const user = userEvent.setup();
    const { unmount } = draw(<PortfolioPage />);
    let list = await region('Activity');
    await list.findByText('Line 7');
    const texts = list.getAllByRole('listitem').map((row) => row.textContent ?? '');
    expect(texts).toHaveLength(5);
    expect(texts[0]).toMatch(/^Line 7−10,000/);
    expect(texts[1]).toMatch(/^Line 6\+1,000/);
    expect(texts[2]).toMatch(/^Line 5[^+−]+DDDDDDDD…DDDDDD/);
    // A payout is no payment of the user.
    expect(list.queryByRole('link', { name: 'Receipts (CSV)' })).toBeNull();
    only('Show all 7');
    await user.click(list.getByRole('button'));
    expect(list.getAllByRole('listitem')).toHaveLength(7);
    expect(list.queryByRole('button')).toBeNull();
    unmount();
    server().respond(listActivity, rows, { total: 30, nextCursor: 'c2' });
    queryClient.clear();
    const longer = draw(<PortfolioPage />);
    list = await region('Activity');
    await list.findByText('Line 7');
    // First all of this page, then the next one.
    only('Show more (30 in all)');
    await user.click(list.getByRole('button'));
    only('Show more');
    longer.unmount();
    server().respond(listActivity, [line(8, { kind: 'project_renewed', digest: DIGEST })], { total: 1 });
    queryClient.clear();
    draw(<PortfolioPage />);
    expect(await screen.findByRole('link', { name: 'Receipts (CSV)' })).toHaveAttribute('href', '/api/payments.csv');
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  test('a listing that was paid for leads to its link, badge and next steps, however it was finished [R36 R50]', async () => {
    const paid = { kind: 'project_submitted', projectSlug: 'tide' } as const;
    const other = { kind: 'project_updated', projectSlug: 'tide' } as const;
    server().respond(listActivity, [line(2, paid), line(1, other)], { total: 2 });
    draw(<PortfolioPage />);
    const list = await region('Activity');
    expect(await list.findAllByRole('link')).toHaveLength(1);
    expect(list.getByRole('link', { name: 'Link, badge, and what happens next' })).toHaveAttribute(
      'href',
      '/projects/tide/insights?welcome',
    );
  });

  test('each kind of activity has its own mark', async () => {
    const marks: Partial<Record<Activity['kind'], string>> = {
      review_posted: 'message-square-text',
      withdrawal_requested: 'arrow-up-right',
      payment_unclaimed: 'circle-exclamation-point',
      payment_refunded: 'undo-2',
      project_hidden: 'eye-off',
      review_hidden: 'eye-off',
      project_submitted: 'rocket',
    };
    const kinds = Object.keys(marks) as Array<Activity['kind']>;
    server().respond(
      listActivity,
      kinds.map((kind, at) => line(at + 1, { kind })),
      { total: kinds.length },
    );
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    const list = await region('Activity');
    await user.click(await list.findByRole('button', { name: `Show all ${kinds.length}` }));
    const drawn = list
      .getAllByRole('listitem')
      .map((item) => /lucide-([\w-]+)/.exec(item.querySelector('svg')?.getAttribute('class') ?? '')?.[1]);
    expect(drawn).toEqual(Object.values(marks));
  });

  test('each says that it is empty, or that it could not be read and can be again [S8.2]', async () => {
    server().failSilently(listVotes);
    server().failSilently(listActivity);
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    expect(await screen.findByText('No active projects yet. Submit your first project to get started!')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Submit Project' })).toHaveAttribute('href', '/submit-project');
    const votes = await region('Recent Voting History');
    expect(await votes.findByText('Failed to fetch voting history')).toBeVisible();
    const activity = await region('Activity');
    expect(await activity.findByText('Failed to fetch activity')).toBeVisible();
    server().respond(listVotes, [], { total: 0 });
    server().respond(listActivity, [], { total: 0 });
    await user.click(votes.getByRole('button', { name: 'Try again' }));
    expect(await votes.findByText('No votes yet. Swipe a card to cast your first one.')).toBeVisible();
    await user.click(activity.getByRole('button', { name: 'Try again' }));
    expect(await activity.findByText('Payments, reviews and withdrawals are listed here.')).toBeVisible();
  });
});

describe('own projects [S2.29 S2.30 S2.31]', () => {
  const expired = ownProjectOf(2, {
    expiresAt: '2026-02-01T12:00:00.000Z',
    bullishCount: 3,
    bearishCount: 1,
    totalVotes: 4,
  });

  test('active and expired ones stand apart, with their votes and what can be done', async () => {
    server().respond(listWalletProjects, [ownProjectOf(1), expired, ownProjectOf(3, { hiddenReason: 'A copy' })], {
      total: 3,
    });
    draw(<PortfolioPage />);
    const active = await region('Active Projects (2)');
    const past = await region('Expired Projects (1)');
    expect(active.getByRole('link', { name: 'Project 1' })).toHaveAttribute('href', '/projects/project-1');
    expect(
      active.getByText(/^9d 23h remaining|^10d 0h remaining/, { selector: 'article:first-child time' }),
    ).toBeVisible();
    expect(active.getByRole('link', { name: 'Insights of Project 1' })).toHaveAttribute(
      'href',
      '/projects/project-1/insights',
    );
    expect(active.getByText('Hidden by the admin: A copy')).toBeVisible();
    expect(active.getByRole('button', { name: /^Update \(5 SUI\).*Project 1/ })).toBeEnabled();
    expect(active.getByRole('button', { name: /^Renew \(15 SUI\).*Project 1/ })).toBeEnabled();
    expect(active.getByRole('button', { name: /^Update.*Project 3/ })).toBeDisabled();
    expect(active.getByRole('button', { name: /^Renew.*Project 3/ })).toBeDisabled();
    expect(past.getByText('3 bullish')).toBeVisible();
    expect(past.getByText('1 bearish')).toBeVisible();
    expect(past.getByText('4 total')).toBeVisible();
    expect(past.getByText(/^Expired \d+d/)).toBeVisible();
    expect(past.getByRole('button')).toHaveTextContent('Renew for 31 Days (15 SUI) Project 2');
  });

  test('one expires while it is looked at [R28]', async () => {
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

  test('the admin renews for free, one at a time [R18]', async () => {
    session.signedIn({ user: ADMIN, stats: STATS });
    server().respond(listWalletProjects, [ownProjectOf(1), ownProjectOf(4)], { total: 2 });
    const response = Promise.withResolvers<ReturnType<typeof projectOf>>();
    server().respond(renewProject, () => response.promise);
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    expect(screen.getByText(/^You are logged in as Admin/)).toBeVisible();
    const renew = await screen.findByRole('button', { name: /^Renew \(FREE\).*Project 1/ });
    await user.click(renew);
    expect(await screen.findByText('Processing Payment...')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Renew \(FREE\).*Project 4/ })).toBeDisabled();
    expect(screen.getByRole('button', { name: /^Update \(FREE\).*Project 4/ })).toBeDisabled();
    const before = server().calls(listWalletProjects).length;
    response.resolve(projectOf(1));
    expect(await toastShown()).toMatchObject({
      title: 'Project renewed!',
      description: expect.stringContaining('Free'),
    });
    expect(server().calls(renewProject)).toMatchObject([
      { params: { id: '1' }, body: { walletAddress: ADMIN.walletAddress } },
    ]);
    await waitFor(() => expect(server().calls(listWalletProjects).length).toBeGreaterThan(before));
    await waitFor(() => expect(screen.queryByText('Processing Payment...')).toBeNull());
  });

  test('an update sends what changed and nothing else; the dialog closes [S2.32 S5.4 R24]', async () => {
    session.signedIn({ user: ADMIN, stats: STATS });
    server().respond(listWalletProjects, [ownProjectOf(1)], { total: 1 });
    server().reject(updateProject, 400, { error: 'invalid_input', message: 'This name is taken', field: 'name' });
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    await user.click(await screen.findByRole('button', { name: /^Update \(FREE\)/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Update Project' }));
    const save = dialog.getByRole('button', { name: 'Update Project (FREE)' });
    expect(save).toBeDisabled();
    const name = dialog.getByLabelText('Project Name');
    await user.clear(name);
    await user.click(save);
    await waitFor(() => expect(name).toHaveAccessibleDescription());
    expect(server().calls(updateProject)).toEqual([]);
    await user.type(name, 'Reef');
    expect(name).not.toHaveAccessibleDescription();
    await user.click(save);
    await waitFor(() => expect(name).toHaveAccessibleDescription('This name is taken'));
    server().respond(updateProject, projectOf(1, { name: 'Reef' }));
    await user.click(save);
    expect(await toastShown('Project updated!')).toMatchObject({ variant: 'success' });
    expect(server().calls(updateProject)[0]?.body).toEqual({ name: 'Reef', walletAddress: ADMIN.walletAddress });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('an order that the server does not take says so, and nothing is paid [S8.8]', async () => {
    server().respond(listWalletProjects, [ownProjectOf(1)], { total: 1 });
    server().reject(preparePayment, 409, { error: 'conflict', message: 'It was renewed just now' });
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    await user.click(await screen.findByRole('button', { name: /^Renew/ }));
    expect(await toastShown()).toMatchObject({
      title: 'Payment Error',
      description: 'It was renewed just now',
      variant: 'destructive',
    });
    expect(server().calls(preparePayment)[0]?.body).toEqual({ purpose: 'renew', projectId: 1 });
    await waitFor(() => expect(screen.getByRole('button', { name: /^Renew/ })).toBeEnabled());
  });
});

describe('payments that are open [R16 R17]', () => {
  const open = (state: Payment['state'], changes: Partial<Payment> = {}) =>
    paymentOf(state, { paymentId: PAYMENT_ID, projectId: 1, ...changes });
  const entry = openOrderOf({ paymentId: PAYMENT_ID, projectId: 1 });

  test('one that is on its way is shown, blocks a second one, and is watched to its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().respond(listWalletProjects, [ownProjectOf(1)], { total: 1 });
    server().respond(listPayments, [open('signed', { transactionHash: DIGEST })], { total: 1 });
    journal.put({ ...entry, phase: 'looking', proof: null });
    draw(<PortfolioPage />);
    await pass(100);
    expect(screen.getByText(/^Renewal of Coral, 15 SUI\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Renew \(/ })).toBeNull();
    expect(screen.getByRole('button', { name: /^Update/ })).toBeEnabled();
    const asked = server().calls(listPayments).length;
    const listed = server().calls(listWalletProjects).length;
    server().respond(listPayments, [open('fulfilled')], { total: 1 });
    await pass(3_100);
    expect(server().calls(listPayments).length).toBeGreaterThan(asked);
    await pass(100);
    expect(toasts.get()[0]).toMatchObject({ title: 'Project renewed!', variant: 'success' });
    expect(journal.get()).toEqual([]);
    expect(server().calls(listWalletProjects).length).toBeGreaterThan(listed);
    expect(screen.queryByText(/^Renewal of Coral/)).toBeNull();
    const settled = server().calls(listPayments).length;
    await pass(10_000);
    expect(server().calls(listPayments).length).toBe(settled);
  });

  test('one from another device changes the lists as well when it comes to its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().respond(listPayments, [open('paid')], { total: 1 });
    draw(<PortfolioPage />);
    await pass(100);
    const before = server().calls(listWalletProjects).length;
    server().respond(listPayments, [open('fulfilled')], { total: 1 });
    await pass(3_100);
    await pass(100);
    expect(server().calls(listWalletProjects).length).toBe(before + 1);
  });

  test('one among others that have ended is watched as well', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().respond(listPayments, [open('paid'), paymentOf('fulfilled', { paymentId: 'p2' })], { total: 2 });
    draw(<PortfolioPage />);
    await pass(100);
    const asked = server().calls(listPayments).length;
    await pass(3_100);
    expect(server().calls(listPayments).length).toBe(asked + 1);
  });

  test('a signature that has not reached the server is sent by itself, again and again; Cancel gives it up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().lose(executePayment);
    server().respond(cancelPayment, open('failed'));
    const proof = { bytes: 'AA==', signature: 'BB==' };
    journal.put({ ...entry, phase: 'unsent', proof });
    draw(<PortfolioPage />);
    await pass(100);
    const sent = () => server().calls(executePayment).length;
    expect(sent()).toBe(1);
    expect(server().calls(executePayment)[0]).toMatchObject({ params: { id: PAYMENT_ID }, body: proof });
    await pass(5_000);
    expect(sent()).toBe(2);
    window.dispatchEvent(new Event('online'));
    await pass(100);
    expect(sent()).toBe(3);
    vi.useRealTimers();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(sent()).toBe(4));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel payment' })).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Cancel payment' }));
    expect(await toastShown('Payment cancelled')).toMatchObject({
      description: 'Nothing was paid, and nothing will be.',
    });
    expect(server().calls(cancelPayment)[0]?.params).toEqual({ id: PAYMENT_ID });
    expect(journal.get()).toEqual([]);
  });

  test('a page that is left sends nothing any longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().lose(executePayment);
    journal.put({ ...entry, phase: 'unsent', proof: { bytes: 'AA==', signature: 'BB==' } });
    const { unmount } = draw(<PortfolioPage />);
    await pass(100);
    unmount();
    window.dispatchEvent(new Event('online'));
    await pass(20_000);
    expect(server().calls(executePayment)).toHaveLength(1);
  });

  test('what reaches the server at last is shown as received, and the lists that it changes are read again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().lose(executePayment);
    journal.put({ ...entry, phase: 'unsent', proof: { bytes: 'AA==', signature: 'BB==' } });
    draw(<PortfolioPage />);
    await pass(100);
    const lists = () =>
      [listWalletProjects, listPayments, listActivity].map((endpoint) => server().calls(endpoint).length);
    const before = lists();
    // A second try that does not get through changes nothing.
    await pass(5_000);
    expect(server().calls(executePayment)).toHaveLength(2);
    expect(lists()).toEqual(before);
    server().respond(executePayment, { transactionHash: DIGEST });
    await pass(5_000);
    expect(screen.getByText('Payment received, finishing…')).toBeVisible();
    expect(lists().map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1]);
  });

  test('a payment that the server declares not paid says why', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server().lose(executePayment);
    journal.put({ ...entry, phase: 'unsent', proof: { bytes: 'AA==', signature: 'BB==' } });
    draw(<PortfolioPage />);
    await pass(100);
    const before = server().calls(listActivity).length;
    server().reject(executePayment, 404, { error: 'payment_not_found', message: 'There is no such payment' });
    await pass(5_000);
    expect(toasts.get()[0]).toMatchObject({
      title: 'Payment Failed',
      description: 'There is no such payment',
      variant: 'destructive',
    });
    expect(journal.get()).toEqual([]);
    expect(server().calls(listActivity).length).toBe(before + 1);
  });

  test('looks up the digest of what a wallet sent by itself; shows a rejection beside it', async () => {
    journal.put({ ...entry, phase: 'unknown', proof: null });
    server().reject(executePayment, 400, { error: 'invalid_input', message: 'There is no such transaction' });
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    const digest = await screen.findByLabelText('Transaction digest');
    // Nobody can cancel what the wallet may have sent: only the user knows that it was not.
    expect(screen.getByRole('button', { name: 'It was not sent' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: /Cancel payment|Send again/ })).toBeNull();
    await user.type(digest, DIGEST);
    await user.click(screen.getByRole('button', { name: 'Find my payment' }));
    await waitFor(() => expect(digest).toHaveAccessibleDescription('There is no such transaction'));
    const found = Promise.withResolvers<{ transactionHash: string }>();
    server().respond(executePayment, () => found.promise);
    await user.click(screen.getByRole('button', { name: 'Find my payment' }));
    expect(await screen.findByRole('button', { name: 'Looking it up…' })).toBeVisible();
    // The reason was about the look-up before.
    expect(digest).not.toHaveAccessibleDescription();
    found.resolve({ transactionHash: DIGEST });
    await waitFor(() => expect(toasts.get()[0]).toBeDefined());
    expect(server().calls(executePayment).at(-1)).toMatchObject({
      params: { id: PAYMENT_ID },
      body: { transactionHash: DIGEST },
    });
    expect(journal.get()[0]).toMatchObject({ phase: 'received', proof: null });
  });

  test('a payment that is missing is chosen among the unpaid orders of a day', async () => {
    const createdAt = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const orders = [
      paymentOf('draft', { paymentId: 'p1', createdAt: createdAt(1) }),
      open('expired', { purpose: 'submit', projectName: null, createdAt: createdAt(23) }),
      paymentOf('draft', { paymentId: 'p3', createdAt: createdAt(25) }),
      paymentOf('fulfilled', { paymentId: 'p4', createdAt: createdAt(1) }),
    ];
    server().respond(listPayments, orders, { total: 4 });
    server().respond(executePayment, {
      status: 'pending',
      phase: 'looking',
      message: 'Looking for it',
      transactionHash: DIGEST,
    });
    const user = userEvent.setup();
    draw(<PortfolioPage />);
    await user.click(await screen.findByText('Paid, but nothing happened?'));
    const choice = screen.getByLabelText('What the payment was for');
    const options = within(choice).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent?.replace(/^[^,]+, /, ''))).toEqual([
      'renewal of Coral, 15 SUI',
      'new listing, 15 SUI',
    ]);
    expect(choice).toHaveValue('p1');
    await user.selectOptions(choice, PAYMENT_ID);
    expect(choice).toHaveValue(PAYMENT_ID);
    await user.type(screen.getByLabelText('Transaction digest'), DIGEST);
    await user.click(screen.getByRole('button', { name: 'Find my payment' }));
    await waitFor(() => expect(server().calls(executePayment)).toHaveLength(1));
    expect(server().calls(executePayment)[0]?.params).toEqual({ id: PAYMENT_ID });
    await toastShown();
    // Only what this browser has paid is kept by it.
    expect(journal.get()).toEqual([]);
  });
});

test.each([
  ['withdrawals', listWithdrawals, 'Failed to fetch withdrawals'],
  ['projects', listWalletProjects, 'Failed to fetch projects'],
] as const)('%s that cannot be read say so, and are read again on request', async (_, endpoint, words) => {
  server().failSilently(endpoint);
  const user = userEvent.setup();
  draw(<PortfolioPage />);
  const alert = (await screen.findByText(words)).closest<HTMLElement>('[role=alert]');
  if (endpoint === listWithdrawals)
    server().respond(listWithdrawals, { paused: false, withdrawals: [withdrawal(1)] }, { total: 1 });
  else server().respond(listWalletProjects, [ownProjectOf(3)], { total: 1 });
  await user.click(within(alert ?? document.body).getByRole('button', { name: 'Try again' }));
  const read = endpoint === listWithdrawals ? '1,001 Snaps' : 'Active Projects (1)';
  expect(await screen.findByText(read)).toBeVisible();
  expect(screen.queryByText(words)).toBeNull();
});

test('activity that is on its way is drawn in outline; once it is known, nothing is', async () => {
  const response = Promise.withResolvers<Activity[]>();
  server().respond(listActivity, () => response.promise, { total: 1 });
  draw(<PortfolioPage />);
  const region = await screen.findByRole('region', { name: 'Activity' });
  expect(region.querySelector('.shimmer')).not.toBeNull();
  response.resolve([line(1)]);
  expect(await within(region).findByText('Line 1')).toBeVisible();
  expect(region.querySelector('.shimmer')).toBeNull();
});

test('without a session the page asks for a wallet [S2.26]', () => {
  session.lost(session.era());
  session.walletChanged('0x9');
  draw(<PortfolioPage />);
  expect(screen.getByText('Your Snaps, your votes and your projects live here.')).toBeVisible();
  expect(queryClient.getQueryData(queries.stats(USER.id).queryKey)).toBeUndefined();
});
