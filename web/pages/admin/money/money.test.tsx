// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type AdminWithdrawal,
  getConfig,
  listAllWithdrawals,
  getAutomaticPayouts,
  type AutomaticPayouts,
} from '#shared/contract/admin.ts';
import {
  beginBook,
  confirmPaidEarlier,
  getPayoutBook,
  type PayoutBook,
  recordPayout,
} from '#shared/contract/payouts.ts';
import { AutomaticPayouts as AutomaticPayoutsCard } from './automatic-payouts.tsx';
import { NOTHING_AUTOMATIC } from '#shared/testing/automatic-payouts.ts';
import { type AdminPayment, listAllPayments, resolvePayment } from '#shared/contract/payments.ts';
import { ADDRESS, ADMIN, paymentOf, RISK, STATS, TIME } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { session } from '../../../lib/session.ts';
import { adminToken } from '../admin-session.ts';
import { giveReason } from '../testing/give-reason.ts';
import { PaymentsTab } from './payments-tab.tsx';
import { type Refund, RefundDialog } from './refund-dialog.tsx';
import { WithdrawalsTab } from './withdrawals-tab.tsx';

const server = useTestPage();
const ID = '11111111-1111-4111-8111-111111111111';
const DIGEST = 'D'.repeat(44);

beforeEach(() => {
  adminToken.set('token');
  session.signedIn({ user: ADMIN, stats: STATS });
  server().respond(getConfig, { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' });
});

const unclaimed = (changes: Partial<AdminPayment> = {}): AdminPayment => ({
  ...paymentOf('unclaimed', { paymentId: ID, receivedMist: '16000000000', note: 'It was renewed twice.' }),
  userId: 7,
  walletAddress: ADDRESS,
  failure: 'already_renewed',
  paidBy: null,
  refundedMist: null,
  refundTransactionHash: null,
  ...changes,
});

const settled = unclaimed({ state: 'refunded', phase: 'refunded' });

async function open(button: string, title: string) {
  const user = userEvent.setup();
  draw(<PaymentsTab />);
  await user.click(await screen.findByRole('button', { name: button }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: title })) };
}

test('a refund is recorded with its note and digest, and rejected without a note [R16 R36]', async () => {
  server().respond(listAllPayments, [unclaimed()], { total: 1 });
  server().respond(resolvePayment, settled);
  const { user, dialog } = await open('Refunded', 'Mark as refunded');
  expect(dialog.getByText('The payer sees 16 SUI refunded.')).toBeVisible();
  const submit = dialog.getByRole('button', { name: 'Mark as refunded' });
  await user.click(submit);
  expect(dialog.getByLabelText('Reason')).toBeInvalid();
  expect(server().calls(resolvePayment)).toEqual([]);
  await user.type(dialog.getByLabelText('Reason'), 'Sent back by hand');
  await user.type(dialog.getByLabelText(/^Digest of the refund/), DIGEST);
  server().respond(listAllPayments, [], { total: 0 });
  await user.click(submit);
  expect(await toastShown()).toMatchObject({ title: 'Marked as refunded', variant: 'success' });
  const [call] = server().calls(resolvePayment);
  expect(call?.params).toEqual({ id: ID });
  expect(call?.body).toEqual({ resolution: 'refunded', note: 'Sent back by hand', transactionHash: DIGEST });
  expect(call?.headers.get('x-admin-token')).toBe('token');
  expect(await screen.findByText('Nothing to settle')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a credit completes the order and asks for no digest [R16 R36]', async () => {
  server().respond(listAllPayments, [unclaimed()], { total: 1 });
  server().respond(resolvePayment, settled);
  const { dialog } = await open('Credit', 'Credit payment');
  expect(dialog.queryByLabelText(/^Digest/)).toBeNull();
  await giveReason('Credit payment', 'Renewed by hand', 'Credit payment');
  expect(await toastShown()).toMatchObject({ title: 'Order completed', variant: 'success' });
  expect(server().calls(resolvePayment)[0]?.body).toEqual({ resolution: 'credited', note: 'Renewed by hand' });
});

const withdrawal = (changes: Partial<AdminWithdrawal> = {}): AdminWithdrawal => ({
  id: 31,
  tokenAmount: 1500,
  walletAddress: ADDRESS,
  state: 'requested',
  digest: null,
  reason: null,
  createdAt: TIME,
  updatedAt: TIME,
  userId: 7,
  username: 'ana',
  paidEarlier: false,
  waitsForOwner: false,
  refusedReason: null,
  risk: RISK,
  ...changes,
});

/** The queue by state. */
function respondWithQueue(rows: AdminWithdrawal[]): void {
  server().respond(listAllWithdrawals, ({ query }) => rows.filter(({ state }) => state === query.state), {
    total: rows.length,
  });
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
}

test('each state of a withdrawal offers the acts that its table allows [R14 R33]', async () => {
  const states = ['requested', 'approved', 'paid', 'rejected'] as const;
  respondWithQueue(states.map((state, at) => withdrawal({ id: 31 + at, state })));
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  const offers: Record<string, string[]> = {};
  for (const [at, label] of ['Requested', 'Approved', 'Paid', 'Rejected'].entries()) {
    await user.click(screen.getByRole('radio', { name: label }));
    const queue = screen.getByRole('region', { name: 'Withdrawal queue' });
    await within(queue).findByText(`#${31 + at}`);
    const buttons = within(queue).getAllByRole('button');
    offers[label] = buttons.flatMap((button) => /^(Approve|Reject)/.exec(button.textContent ?? '')?.[0] ?? []);
  }
  expect(offers).toEqual({
    Requested: ['Approve', 'Reject'],
    Approved: ['Reject'],
    Paid: [],
    Rejected: [],
  });
});

const empty = { ...RISK, standing: 'no_standing' as const };

test('each withdrawal shows the risk of its wallet, and a filter selects one standing [R14]', async () => {
  const risk = {
    standing: 'waiting' as const,
    votes: 1200,
    verified: 800,
    excluded: 3,
    voteDays: 3,
    votesPerMinute: 6.25,
    sameNetwork: 12,
    equalVotes: 0.966,
  };
  respondWithQueue([withdrawal({ risk })]);
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  const queue = within(screen.getByRole('region', { name: 'Withdrawal queue' }));
  const [row] = await queue.findAllByRole('listitem');
  expect(row).toHaveTextContent(
    /Not verified yetDays with votes3Votes1,200Verified for good800Excluded3Votes a minute6\.3Same network12 other walletsEqual votes97%/,
  );
  await user.click(queue.getByRole('radio', { name: 'Not verified' }));
  await waitFor(() =>
    expect(server().calls(listAllWithdrawals).at(-1)?.query).toEqual({ state: 'requested', standing: 'no_standing' }),
  );
  expect(await queue.findAllByRole('listitem')).toHaveLength(1);
});

test('verified wallets are selected for payment, and others only by hand [R33 R14]', async () => {
  const approved = [
    withdrawal({ id: 31, state: 'approved' }),
    withdrawal({ id: 32, state: 'approved', tokenAmount: 60, risk: empty }),
  ];
  const matching = (query: Record<string, unknown>) =>
    approved.filter(
      ({ state, risk }) => state === query['state'] && (query['standing'] ?? risk.standing) === risk.standing,
    );
  server().respond(listAllWithdrawals, ({ query }) => matching(query), {
    total: ({ query }) => matching(query).length,
  });
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
  server().respond(recordPayout, { digest: DIGEST, paidIds: [31, 32] });
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  const ready = within(await screen.findByRole('region', { name: 'Ready to pay' }));
  expect(ready.getByText('1 withdrawal of unverified wallets left out.')).toBeVisible();
  expect(ready.getAllByRole('checkbox')).toHaveLength(1);
  expect(ready.getByText(/No payout coin is configured/)).toBeVisible();
  expect(ready.getByText(/chosen,/, { selector: 'p' })).toHaveTextContent('1 of 1 chosen, 1,500 Snaps');
  await user.click(ready.getByRole('button', { name: 'Include unverified wallets' }));
  const [first, other] = ready.getAllByRole('checkbox');
  expect(first).toBeChecked();
  expect(other).not.toBeChecked();
  expect(other?.closest('label')).toHaveTextContent('Not verified');
  expect(first?.closest('label')).not.toHaveTextContent('tanding');
  await user.click(other as HTMLElement);
  const record = ready.getByRole('button', { name: 'Record digest' });
  expect(record).toBeDisabled();
  await user.type(ready.getByLabelText(/^Digest of the transaction/), ` ${DIGEST} `);
  await user.click(record);
  expect(await toastShown()).toMatchObject({
    title: 'Payout recorded',
    description: '2 withdrawals recorded as paid.',
  });
  expect(server().calls(recordPayout)[0]?.body).toEqual({
    withdrawalIds: [31, 32],
    digest: DIGEST,
    hasCompared: false,
  });
  await user.click(ready.getByRole('button', { name: 'Leave them out' }));
  expect(ready.getAllByRole('checkbox')).toHaveLength(1);
});

test('after a restore the admin compares before a payout by hand is recorded [R56]', async () => {
  respondWithQueue([withdrawal({ state: 'approved' })]);
  const message = 'The database was restored. Compare first.';
  server().reject(recordPayout, 409, { error: 'restored', message });
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  const ready = within(await screen.findByRole('region', { name: 'Ready to pay' }));
  await user.type(ready.getByLabelText(/^Digest of the transaction/), DIGEST);
  await user.click(ready.getByRole('button', { name: 'Record digest' }));
  expect(await toastShown('Payout failed')).toMatchObject({ description: message });
  expect(ready.getByRole('button', { name: 'Record digest' })).toBeDisabled();
  await user.click(ready.getByLabelText(/^I have compared/));
  server().respond(recordPayout, { digest: DIGEST, paidIds: [31] });
  await user.click(ready.getByRole('button', { name: 'Record digest' }));
  expect(await toastShown('Payout recorded')).toHaveProperty('variant', 'success');
  expect(server().calls(recordPayout).at(-1)?.body).toMatchObject({ hasCompared: true });
});

const BOOK: PayoutBook = {
  hasCoin: true,
  problem: null,
  setting: ADDRESS,
  known: ADDRESS,
  chain: { owner: ADDRESS, payers: [ADDRESS], wallets: 3, paidSnaps: 1_234 },
  paidSnaps: 1_200,
  approvedSnaps: 60,
  wallets: [{ address: ADDRESS, heldSnaps: 777, gasMist: '2000000000' }],
  restoredAt: TIME,
};

test('the panel shows what the Book says, what the wallets hold, and a restore [R97 R33]', async () => {
  respondWithQueue([]);
  server().respond(getPayoutBook, BOOK);
  draw(<WithdrawalsTab />);
  const card = within(await screen.findByRole('region', { name: 'The Book' }));
  for (const text of ['1,234 Snaps', '1,200 Snaps', '60 Snaps', '777 Snaps', '2 SUI'])
    expect(card.getByText(text)).toBeVisible();
  expect(card.getByText(/The database was restored/)).toBeVisible();
});

test('another Book than that of the database pays nothing until the owner begins it [R97]', async () => {
  respondWithQueue([]);
  server().respond(getPayoutBook, { ...BOOK, problem: 'other_book' });
  server().respond(beginBook, BOOK);
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  const card = within(await screen.findByRole('region', { name: 'The Book' }));
  expect(card.getByText('Nothing is paid')).toBeVisible();
  await user.click(card.getByRole('button', { name: /^Begin the Book/ }));
  await giveReason('End the Book of the database', 'A new owner', 'Begin');
  expect(await toastShown('Book begun')).toHaveProperty('variant', 'success');
  expect(server().calls(beginBook)[0]?.body).toEqual({ reason: 'A new owner' });
});

test('a withdrawal that was paid earlier waits for the owner, and one that the chain refuses says why [R97 R79]', async () => {
  const refused = withdrawal({ id: 32, state: 'approved', refusedReason: 'AddressDeniedForCoin' });
  respondWithQueue([withdrawal({ state: 'approved', waitsForOwner: true }), refused]);
  server().respond(confirmPaidEarlier, withdrawal({ state: 'paid', digest: DIGEST, paidEarlier: true }));
  const user = userEvent.setup();
  draw(<WithdrawalsTab />);
  await user.click(screen.getByRole('radio', { name: 'Approved' }));
  const queue = within(screen.getByRole('region', { name: 'Withdrawal queue' }));
  expect(await queue.findByText('The chain refuses it: AddressDeniedForCoin')).toBeVisible();
  expect(queue.queryByRole('button', { name: 'Reject withdrawal 31' })).toBeNull();
  await user.click(queue.getByRole('button', { name: 'Confirm that withdrawal 31 was paid earlier' }));
  await giveReason('Withdrawal #31 was paid earlier', 'The backup of May', 'Confirm');
  expect(await toastShown('Withdrawal settled')).toHaveProperty('variant', 'success');
});

const KEY: AutomaticPayouts['key'] = {
  walletAddress: ADDRESS,
  dailyMaxSnaps: 1_000,
  paidToday: { withdrawals: 2, snaps: 135 },
  heldSnaps: 40,
  waitingSnaps: 60,
  gasMist: '1000000',
};

test('automatic payouts show their limits, wallet, payments of today and warnings [R79]', async () => {
  const approvedToday = { withdrawals: 3, snaps: 195 };
  const automatic = { ...NOTHING_AUTOMATIC, maxSnaps: 500, areBooksFine: false, approvedToday, key: KEY };
  server().respond(getAutomaticPayouts, automatic);
  draw(<AutomaticPayoutsCard />);
  const card = within(await screen.findByRole('region', { name: 'Automatic payouts' }));
  for (const text of ['up to 500 Snaps', '3 withdrawals, 195 Snaps', 'up to 1,000 Snaps', '2 withdrawals, 135 Snaps'])
    expect(card.getByText(text)).toBeTruthy();
  expect(card.getByTitle(ADDRESS)).toBeTruthy();
  expect(card.getByText(/too few Snaps/)).toBeTruthy();
  expect(card.getByText(/running out of SUI/)).toBeTruthy();
  expect(card.getByText(/last check of the books failed/)).toBeTruthy();
});

test('automatic payouts are hidden while rule and key are off [R79]', async () => {
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
  draw(<AutomaticPayoutsCard />);
  await expect.poll(() => server().calls(getAutomaticPayouts).length).toBe(1);
  expect(screen.queryByRole('region', { name: 'Automatic payouts' })).toBeNull();
});

const REFUND: Refund = {
  paymentId: ID,
  amountMist: 15_000_000_000n,
  recipient: ADDRESS,
  isVerified: true,
};
const send = vi.fn<(refund: Refund) => Promise<string>>();
const close = vi.fn<() => void>();

beforeEach(() => {
  send.mockReset();
  close.mockReset();
});

async function openRefund() {
  draw(<RefundDialog refund={REFUND} onClose={close} send={send} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as refunded' }));
  return { user: userEvent.setup(), dialog };
}

test('a refund is sent once, and its digest stays in the dialog until it is recorded [R80]', async () => {
  send.mockResolvedValue(DIGEST);
  server().reject(resolvePayment, 503, {
    error: 'chain_unreachable',
    message: 'The chain cannot be reached right now',
  });
  const { user, dialog } = await openRefund();
  await user.type(dialog.getByLabelText('Reason'), 'We cannot list it');
  await user.click(dialog.getByRole('button', { name: /^Send 15 SUI to 0x/ }));
  expect(await dialog.findByDisplayValue(DIGEST)).toBeVisible();
  expect(send.mock.calls).toEqual([[REFUND]]);
  expect(dialog.queryByRole('button', { name: /^Send 15 SUI/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Mark as refunded' }));
  expect(await toastShown('Error')).toMatchObject({ description: 'The chain cannot be reached right now' });
  expect(dialog.getByLabelText('Digest of the refund')).toHaveValue(DIGEST);
  expect(close).not.toHaveBeenCalled();
  expect(server().calls(resolvePayment)[0]?.body).toMatchObject({ transactionHash: DIGEST });
});

test('a refund that the wallet rejects can be sent again, and its reason is shown', async () => {
  send.mockRejectedValue(new Error('You declined the request in your wallet'));
  const { user, dialog } = await openRefund();
  await user.click(dialog.getByRole('button', { name: /^Send 15 SUI/ }));
  expect(await toastShown('Refund not sent')).toMatchObject({
    description: 'You declined the request in your wallet',
  });
  expect(dialog.getByRole('button', { name: /^Send 15 SUI/ })).toBeEnabled();
  expect(dialog.getByLabelText('Digest of the refund')).toHaveValue('');
});
