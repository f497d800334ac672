// @vitest-environment happy-dom
/** What the admin decides about money: payments to settle, withdrawals, payouts. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AdminWithdrawal,
  approveWithdrawal,
  cancelPayout,
  executePayout,
  listAllWithdrawals,
  listPayouts,
  type PayoutBatch,
  preparePayout,
  rejectWithdrawal,
} from '#shared/contract/admin.ts';
import { type AdminPayment, listAllPayments, resolvePayment } from '#shared/contract/payments.ts';
import { ADDRESS, paymentOf, RISK, TIME } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { adminToken } from './admin-session.ts';
import { PaymentsTab } from './payments/payments-tab.tsx';
import { WithdrawalsTab } from './withdrawals/withdrawals-tab.tsx';

const server = useTestPage();
const ID = '11111111-1111-4111-8111-111111111111';
const DIGEST = 'D'.repeat(44);

beforeEach(() => adminToken.set('token'));

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

describe('payments to settle [R16 R36]', () => {
  const settled = unclaimed({ state: 'refunded', phase: 'refunded' });

  async function open(button: string, title: string) {
    const user = userEvent.setup();
    draw(<PaymentsTab />);
    await user.click(await screen.findByRole('button', { name: button }));
    return { user, dialog: within(await screen.findByRole('dialog', { name: title })) };
  }

  test('a payment shows what arrived, its order, its payer, and why it waits', async () => {
    const paidBy = `0x${'b'.repeat(64)}`;
    server().respond(listAllPayments, [unclaimed({ paidBy, transactionHash: DIGEST })], { total: 1 });
    draw(<PaymentsTab />);
    const row = await screen.findByRole('listitem');
    expect(row).toHaveTextContent('16 SUI · renew · Coral');
    expect(row).toHaveTextContent('0x1200...cdef');
    expect(row).toHaveTextContent(`Paid by another wallet. Refund to ${paidBy}`);
    expect(row).toHaveTextContent('It was renewed twice. (already_renewed)');
    const digest = within(row).getByRole('link', { name: new RegExp(DIGEST) });
    expect(digest).toHaveAttribute('href', `https://explorer.example/tx/${DIGEST}`);
    expect(server().calls(listAllPayments)[0]?.query).toEqual({ state: 'unclaimed' });
  });

  test('one that another admin has settled meanwhile offers nothing', async () => {
    server().respond(listAllPayments, [settled], { total: 1 });
    draw(<PaymentsTab />);
    expect(await screen.findByRole('listitem')).toHaveTextContent('16 SUI · renew · Coral');
    expect(screen.queryByRole('button', { name: /^(Refunded|Credit)$/ })).toBeNull();
  });

  test('a refund is recorded with its note and digest; without a note it is not', async () => {
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

  test('a credit carries the order out and asks for no digest', async () => {
    server().respond(listAllPayments, [unclaimed()], { total: 1 });
    server().respond(resolvePayment, settled);
    const { user, dialog: refund } = await open('Refunded', 'Mark as refunded');
    await user.type(refund.getByLabelText(/^Digest of the refund/), DIGEST);
    await user.click(refund.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Credit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Credit payment' }));
    expect(dialog.queryByLabelText(/^Digest/)).toBeNull();
    await user.type(dialog.getByLabelText('Reason'), 'Renewed by hand');
    await user.click(dialog.getByRole('button', { name: 'Credit payment' }));
    expect(await toastShown()).toMatchObject({ title: 'Order completed', variant: 'success' });
    expect(server().calls(resolvePayment)[0]?.body).toEqual({ resolution: 'credited', note: 'Renewed by hand' });
  });

  test('a rejected decision says why and stays open; Cancel closes it and sends nothing', async () => {
    server().respond(listAllPayments, [unclaimed()], { total: 1 });
    server().reject(resolvePayment, 409, { error: 'conflict', message: 'It was settled by another admin' });
    const { user, dialog } = await open('Refunded', 'Mark as refunded');
    await user.type(dialog.getByLabelText('Reason'), 'Sent back');
    await user.click(dialog.getByRole('button', { name: 'Mark as refunded' }));
    expect(await toastShown()).toMatchObject({
      title: 'Error',
      description: 'It was settled by another admin',
      variant: 'destructive',
    });
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server().calls(resolvePayment)).toHaveLength(1);
  });
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
  batchId: null,
  risk: RISK,
  ...changes,
});

const batchOf = (state: PayoutBatch['state'], changes: Partial<PayoutBatch> = {}): PayoutBatch => ({
  batchId: ID,
  state,
  coinType: null,
  sender: null,
  digest: null,
  note: null,
  recipients: [
    { withdrawalId: 31, walletAddress: ADDRESS, tokenAmount: 1500, amountUnits: '1500000000' },
    { withdrawalId: 32, walletAddress: ADDRESS, tokenAmount: 60, amountUnits: '60000000' },
  ],
  createdAt: TIME,
  ...changes,
});

/** The queue by state, and the payouts. */
function respondWithQueue(rows: AdminWithdrawal[], payouts: PayoutBatch[] = []): void {
  server().respond(listAllWithdrawals, ({ query }) => rows.filter(({ state }) => state === query.state), {
    total: rows.length,
  });
  server().respond(listPayouts, payouts, { total: payouts.length });
}

describe('the queue of withdrawals [R14 R33]', () => {
  test('each state offers what can be decided in it', async () => {
    const states = ['requested', 'approved', 'sending', 'failed', 'paid', 'rejected'] as const;
    respondWithQueue(states.map((state, at) => withdrawal({ id: 31 + at, state })));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const offers: Record<string, string[]> = {};
    for (const [at, label] of ['Requested', 'Approved', 'Sending', 'Failed', 'Paid', 'Rejected'].entries()) {
      await user.click(screen.getByRole('radio', { name: label }));
      const queue = screen.getByRole('region', { name: 'Withdrawal queue' });
      await within(queue).findByText(`#${31 + at}`);
      const buttons = within(queue).getAllByRole('button');
      offers[label] = buttons.flatMap((button) => /^(Approve|Reject)/.exec(button.textContent ?? '')?.[0] ?? []);
    }
    expect(offers).toEqual({
      Requested: ['Approve', 'Reject'],
      Approved: ['Reject'],
      Sending: [],
      Failed: ['Approve', 'Reject'],
      Paid: [],
      Rejected: [],
    });
  });

  test('Approve approves this one; a failure says why', async () => {
    respondWithQueue([withdrawal()]);
    server().respond(approveWithdrawal, withdrawal({ state: 'approved' }));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const approve = await screen.findByRole('button', { name: 'Approve withdrawal 31' });
    await user.click(approve);
    expect(await toastShown()).toMatchObject({
      title: 'Withdrawal approved',
      description: '#31 can be paid now.',
      variant: 'success',
    });
    expect(server().calls(approveWithdrawal)[0]?.params).toEqual({ id: '31' });
    server().reject(approveWithdrawal, 409, { error: 'conflict', message: 'It was rejected meanwhile' });
    await user.click(approve);
    expect(await toastShown('Error')).toMatchObject({
      description: 'It was rejected meanwhile',
      variant: 'destructive',
    });
  });

  test('Reject asks for a reason, sends it, and reads the queue again', async () => {
    respondWithQueue([withdrawal()]);
    server().respond(rejectWithdrawal, withdrawal({ state: 'rejected', reason: 'Bots' }));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    await user.click(await screen.findByRole('button', { name: 'Reject withdrawal 31' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject withdrawal #31' }));
    await user.type(dialog.getByLabelText('Reason'), '  Bots ');
    respondWithQueue([]);
    await user.click(dialog.getByRole('button', { name: 'Reject' }));
    expect(await toastShown()).toMatchObject({ title: 'Withdrawal rejected', variant: 'success' });
    expect(server().calls(rejectWithdrawal)[0]).toMatchObject({ params: { id: '31' }, body: { reason: 'Bots' } });
    expect(await screen.findByText('No withdrawals are requested right now.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('what speaks for or against a wallet [R14]', () => {
  const empty = { ...RISK, standing: 'no_standing' as const };

  test('each request shows standing, days, votes, pace, network and equal votes; a filter asks for one standing', async () => {
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

  test('pay many takes wallets with standing; others are counted, added on request, and ticked by hand', async () => {
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
    server().respond(listPayouts, [], { total: 0 });
    server().respond(preparePayout, batchOf('prepared'));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const ready = within(await screen.findByRole('region', { name: 'Ready to pay' }));
    expect(ready.getByText('1 withdrawal of unverified wallets left out.')).toBeVisible();
    expect(ready.getAllByRole('checkbox')).toHaveLength(1);
    expect(ready.getByText(/chosen,/, { selector: 'p' })).toHaveTextContent('1 of 1 chosen, 1,500 Snaps');
    await user.click(ready.getByRole('button', { name: 'Include unverified wallets' }));
    const [first, other] = ready.getAllByRole('checkbox');
    expect(first).toBeChecked();
    expect(other).not.toBeChecked();
    expect(other?.closest('label')).toHaveTextContent('Not verified');
    expect(first?.closest('label')).not.toHaveTextContent('tanding');
    await user.click(other as HTMLElement);
    await user.click(ready.getByRole('button', { name: 'Prepare payout of 2' }));
    expect(await toastShown()).toMatchObject({ title: 'Payout prepared' });
    expect(server().calls(preparePayout)[0]?.body).toEqual({ withdrawalIds: [31, 32] });
    await user.click(ready.getByRole('button', { name: 'Leave them out' }));
    expect(ready.getAllByRole('checkbox')).toHaveLength(1);
  });
});

describe('payouts [R33]', () => {
  test('those that are ticked are prepared together; without a coin they are paid by hand', async () => {
    respondWithQueue([
      withdrawal({ id: 31, state: 'approved' }),
      withdrawal({ id: 32, state: 'approved', tokenAmount: 60, username: null }),
    ]);
    server().respond(preparePayout, batchOf('prepared'));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const ready = within(await screen.findByRole('region', { name: 'Ready to pay' }));
    expect(ready.getByText(/chosen,/, { selector: 'p' })).toHaveTextContent('2 of 2 chosen, 1,560 Snaps');
    expect(ready.getByText(/No payout coin is configured/)).toBeVisible();
    const [first, second] = ready.getAllByRole('checkbox');
    await user.click(first as HTMLElement);
    expect(first).not.toBeChecked();
    expect(second).toBeChecked();
    await user.click(ready.getByRole('button', { name: 'Prepare payout of 1' }));
    expect(await toastShown()).toMatchObject({ title: 'Payout prepared', variant: 'success' });
    expect(server().calls(preparePayout)[0]?.body).toEqual({ withdrawalIds: [32] });
    await user.click(first as HTMLElement);
    expect(first).toBeChecked();
  });

  test('with more than one transaction can pay, it says so; with none ticked, nothing is paid', async () => {
    respondWithQueue([withdrawal({ state: 'approved' })]);
    server().respond(listAllWithdrawals, [withdrawal({ state: 'approved' })], { total: 300 });
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const ready = within(await screen.findByRole('region', { name: 'Ready to pay' }));
    expect(ready.getByText(/these have waited longest/)).toBeVisible();
    await user.click(ready.getByRole('checkbox'));
    expect(ready.getByRole('button', { name: 'Prepare payout of 0' })).toBeDisabled();
  });

  test('each payout says its state, its sum and its digest; only a prepared one can be changed', async () => {
    const states = ['prepared', 'sent', 'paid', 'failed', 'cancelled'] as const;
    const payouts = states.map((state, at) =>
      batchOf(state, { batchId: ID.replace(/.$/, String(at)), digest: state === 'paid' ? DIGEST : null, note: state }),
    );
    respondWithQueue([], payouts);
    draw(<WithdrawalsTab />);
    const list = within(await screen.findByRole('region', { name: 'Payouts' })).getAllByText(/^1,560 Snaps, 2/);
    const rows = list.map((line) => line.closest('li') as HTMLElement);
    expect(rows.map((row) => row.querySelector('p')?.firstElementChild?.textContent)).toEqual([
      'Prepared',
      'On its way',
      'Paid',
      'Failed',
      'Cancelled',
    ]);
    expect(rows.map((row) => within(row).queryByText('Cancel payout') !== null)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(rows.map((row) => within(row).queryByRole('link') !== null)).toEqual([false, false, true, false, false]);
    expect(rows.map((row) => row.querySelector('details')?.open)).toEqual([true, false, false, false, false]);
    // Paid by hand: there is no coin to pay with.
    expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull();
  });

  test('each state of a payout has its color; one that was sent and none that is over can be changed', async () => {
    const states = ['prepared', 'sent', 'paid', 'failed', 'cancelled'] as const;
    respondWithQueue(
      [],
      states.map((state, at) => batchOf(state, { batchId: ID.replace(/^1/, String(at + 1)) })),
    );
    draw(<WithdrawalsTab />);
    const payouts = within(await screen.findByRole('region', { name: 'Payouts' }));
    const looks = ['Prepared', 'On its way', 'Paid', 'Failed', 'Cancelled'].map((word) => {
      const badge = payouts.getByText(word);
      const batch = badge.closest('li') as HTMLElement;
      return [
        / text-(warn|link|bull|bear|muted) /.exec(` ${badge.className} `)?.[1],
        within(batch).queryAllByRole('button', { name: 'Cancel payout' }).length,
        batch.querySelector('details')?.open,
      ];
    });
    expect(looks).toEqual([
      ['warn', 1, true],
      ['link', 0, false],
      ['bull', 0, false],
      ['bear', 0, false],
      ['muted', 0, false],
    ]);
  });

  test('Cancel payout gives this one up, once', async () => {
    respondWithQueue([], [batchOf('prepared')]);
    const cancelled = Promise.withResolvers<PayoutBatch>();
    server().respond(cancelPayout, () => cancelled.promise);
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const cancel = await screen.findByRole('button', { name: 'Cancel payout' });
    await user.click(cancel);
    expect(cancel).toBeDisabled();
    respondWithQueue([], [batchOf('cancelled')]);
    cancelled.resolve(batchOf('cancelled'));
    expect(await toastShown()).toEqual(
      expect.objectContaining({ title: 'Payout cancelled', description: 'Its withdrawals are approved again.' }),
    );
    expect(
      server()
        .calls(cancelPayout)
        .map(({ params }) => params),
    ).toEqual([{ id: ID }]);
    expect(await screen.findByText('Cancelled')).toBeVisible();
  });

  test('records a digest that was paid by other means; shows what the chain reports about it', async () => {
    respondWithQueue([], [batchOf('prepared')]);
    server().respond(executePayout, batchOf('paid', { digest: DIGEST }));
    const user = userEvent.setup();
    draw(<WithdrawalsTab />);
    const record = await screen.findByRole('button', { name: 'Record digest' });
    expect(record).toBeDisabled();
    expect(screen.getByLabelText(/^Paid by other means/)).toHaveAccessibleDescription(/^No .*coin is configured/);
    await user.type(screen.getByLabelText(/^Paid by other means/), ` ${DIGEST} `);
    await user.click(record);
    expect(await toastShown()).toMatchObject({ title: 'Payout sent', description: '2 withdrawals paid and verified.' });
    expect(server().calls(executePayout)[0]).toMatchObject({ params: { id: ID }, body: { transactionHash: DIGEST } });
    server().respond(executePayout, batchOf('sent'));
    await user.click(record);
    expect(await toastShown('Payout on its way')).not.toHaveProperty('variant');
    server().respond(executePayout, batchOf('failed', { note: 'The sums differ' }));
    await user.click(record);
    expect(await toastShown('Payout failed')).toMatchObject({ description: 'The sums differ', variant: 'destructive' });
    server().failSilently(executePayout);
    await user.click(record);
    await waitFor(() => expect(toasts.get()[0]?.description).toBe(`Payout ${ID} could not be changed`));
  });
});
