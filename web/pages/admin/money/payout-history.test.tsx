// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  confirmPayoutHistory,
  decideTransfers,
  getPayoutHistory,
  listTransfers,
  type OutgoingTransfer,
  type PayoutHistory as History,
  readPayoutHistory,
} from '#shared/contract/payout-history.ts';
import { ADDRESS, ADMIN, STATS, TIME, USER } from '../../../testing/made-up.ts';
import { queryClient } from '../../../lib/queries.ts';
import { session } from '../../../lib/session.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { PayoutHistory } from './payout-history.tsx';

const server = useTestPage();
beforeEach(() => {
  session.signedIn({ user: ADMIN, stats: STATS });
  adminToken.set('token');
});

const historyOf = (state: History['wallets'][number]['state'], changes: Partial<History> = {}): History => ({
  isRead: true,
  waiting: 0,
  unread: 0,
  lostFrom: null,
  lostUntil: null,
  wallets: [
    { walletAddress: ADDRESS, state, checkpoint: 1200, tip: 5000, lowest: 2000, scannedAt: TIME, completedAt: TIME },
  ],
  ...changes,
});

const transfer = (changes: Partial<OutgoingTransfer> = {}): OutgoingTransfer => ({
  id: 4,
  digest: 'D'.repeat(44),
  walletAddress: ADDRESS,
  recipient: `0x${'b'.repeat(64)}`,
  userId: 7,
  username: 'ana',
  amountUnits: '120000000',
  tokenAmount: 120,
  executedAt: TIME,
  state: 'unexplained',
  cause: 'not_requested',
  withdrawalId: null,
  reason: null,
  decidedBy: null,
  decidedAt: null,
  ...changes,
});

const card = async () => within(await screen.findByRole('region', { name: 'Sent by the paying wallets' }));

test.each<[state: History['wallets'][number]['state'], label: string, words: RegExp]>([
  ['reading', 'Reading the chain…', /Payouts wait until everything .* is read/],
  ['behind', 'Node behind', /does not show the newest transactions yet/],
  ['unreachable', 'Node unreachable', /does not respond/],
  ['pruned', 'History missing', /no longer has a part of what this wallet has sent/],
])('a payout history in the state %s is explained, and payouts wait [R56]', async (state, label, words) => {
  server().respond(getPayoutHistory, historyOf(state));
  draw(<PayoutHistory />);
  expect((await card()).getByText(label)).toBeVisible();
  expect((await card()).getByText(words)).toBeVisible();
  expect(screen.queryByText(/Checkpoint 1,200 of 5,000/) !== null).toBe(state === 'reading');
  expect(screen.queryByRole('button', { name: 'Go on without it' }) !== null).toBe(state === 'pruned');
});

test('the history of paying wallets is hidden without a payout coin [R56]', async () => {
  server().respond(getPayoutHistory, historyOf('complete', { isRead: false, wallets: [] }));
  draw(<PayoutHistory />);
  await expect.poll(() => server().calls(getPayoutHistory).length).toBe(1);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  expect(screen.queryByRole('region')).toBeNull();
});

test('Read now reads the chain and shows the new state [R56]', async () => {
  server().respond(getPayoutHistory, historyOf('unreachable'));
  server().respond(readPayoutHistory, historyOf('complete'));
  const user = userEvent.setup();
  draw(<PayoutHistory />);
  const button = (await card()).getByRole('button', { name: 'Read now' });
  server().respond(getPayoutHistory, historyOf('complete'));
  await user.click(button);
  expect(await screen.findByText('Up to date')).toBeVisible();
  expect(server().calls(readPayoutHistory)).toHaveLength(1);
});

test('missing payout history is confirmed with a reason [R56]', async () => {
  server().respond(getPayoutHistory, historyOf('pruned'));
  server().respond(confirmPayoutHistory, historyOf('complete'));
  const user = userEvent.setup();
  draw(<PayoutHistory />);
  await user.click(await screen.findByRole('button', { name: 'Go on without it' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Go on without the missing history' }));
  expect(dialog.getByText(/Checkpoints 1,201 to 1,999 will not be read/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(dialog.getByLabelText('Reason')).toBeInvalid();
  await user.type(dialog.getByLabelText('Reason'), 'Nothing was sent in June');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(await toastShown()).toMatchObject({ title: 'Confirmed', variant: 'success' });
  expect(server().calls(confirmPayoutHistory)[0]?.body).toEqual({
    wallet: ADDRESS,
    reason: 'Nothing was sent in June',
  });
});

test('each unknown transfer shows recipient, amount and cause, and offers only possible decisions [R56]', async () => {
  server().respond(getPayoutHistory, historyOf('complete', { waiting: 3 }));
  server().respond(
    listTransfers,
    [
      transfer(),
      transfer({ id: 5, cause: 'unknown_wallet', userId: null, username: null, tokenAmount: null, amountUnits: '1' }),
      transfer({ id: 6, cause: 'on_its_way' }),
    ],
    { total: 3 },
  );
  draw(<PayoutHistory />);
  const section = within(await screen.findByRole('region', { name: 'Unknown transfers' }));
  const [known, unknown, onItsWay] = await section.findAllByRole('listitem');
  expect(known).toHaveTextContent('120 Snapsana');
  expect(known).toHaveTextContent('This user has the balance for it, and no such withdrawal.');
  expect(unknown).toHaveTextContent('1 units');
  expect(unknown).toHaveTextContent('No user has this wallet.');
  const buttons = (row: HTMLElement | undefined) =>
    within(row ?? document.body)
      .queryAllByRole('button')
      .map(({ textContent }) => textContent);
  expect([known, unknown, onItsWay].map(buttons)).toEqual([
    ['Record as withdrawal', 'Not a payout'],
    ['Not a payout'],
    [],
  ]);
  expect(server().calls(listTransfers)[0]?.query).toEqual({});
});

test('a payer sees unknown transfers without decisions, which the owner makes [R56]', async () => {
  session.signedIn({ user: { ...USER, role: 'payer' }, stats: STATS });
  server().respond(getPayoutHistory, { ...historyOf('pruned'), waiting: 1 });
  server().respond(listTransfers, [transfer()], { total: 1 });
  draw(<PayoutHistory />);
  expect(await screen.findByText(/until the owner has decided/)).toBeVisible();
  expect(await screen.findByText('120 Snaps')).toBeVisible();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Read now']);
});

test.each<[button: string, title: string, action: string, as: 'explained' | 'withdrawal', done: string]>([
  ['Not a payout', 'Not a payout', 'Not a payout', 'explained', 'Transfer marked as not a payout'],
  ['Record as withdrawal', 'Record as a withdrawal', 'Record withdrawal', 'withdrawal', 'Withdrawal recorded'],
])("the decision '%s' sends a reason, and shows why it was rejected [R56]", async (button, title, action, as, done) => {
  server().respond(getPayoutHistory, historyOf('complete', { waiting: 1 }));
  server().respond(listTransfers, [transfer()], { total: 1 });
  server().reject(decideTransfers, 409, { error: 'wrong_state', message: 'It was decided by another admin' });
  const user = userEvent.setup();
  draw(<PayoutHistory />);
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await user.type(dialog.getByLabelText('Reason'), 'A prize');
  await user.click(dialog.getByRole('button', { name: action }));
  expect(await toastShown()).toMatchObject({ title: 'Error', description: 'It was decided by another admin' });
  server().respond(decideTransfers, { success: true });
  await user.click(dialog.getByRole('button', { name: action }));
  expect(await toastShown(done)).toMatchObject({ variant: 'success' });
  expect(server().calls(decideTransfers).at(-1)?.body).toEqual({ ids: [4], as, reason: 'A prize' });
});
