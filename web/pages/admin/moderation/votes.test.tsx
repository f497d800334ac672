// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  type AdminAppeal,
  answerAppeal,
  listAppeals,
  listModeratedVotes,
  type ModeratedVote,
  moderateVote,
} from '#shared/contract/standing.ts';
import { setSite } from '../../../lib/site.ts';
import { ADDRESS, SITE, TIME } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { giveReason } from '../testing/give-reason.ts';
import { VotesTab } from './votes-tab.tsx';

const server = useTestPage();
const VOTER = { userId: 7, username: 'ana', walletAddress: ADDRESS };
const appeal = (changes: Partial<AdminAppeal> = {}): AdminAppeal => ({
  ...VOTER,
  id: 3,
  text: 'We share an office',
  standing: 'standing',
  votes: 12,
  noStanding: 4,
  rhythm: 2,
  moderator: 0,
  project: null,
  createdAt: TIME,
  answer: null,
  answeredAt: null,
  ...changes,
});
const vote = (changes: Partial<ModeratedVote> = {}): ModeratedVote => ({
  ...VOTER,
  project: { id: 4, slug: 'coral', name: 'Coral' },
  period: 1,
  voteType: 'bullish',
  createdAt: TIME,
  state: 'rhythm',
  detail: 'Twelve wallets voted alike',
  ...changes,
});

beforeEach(() => {
  setSite(SITE);
  adminToken.set('token');
  server().respond(listAppeals, [], { total: 0 });
  server().respond(listModeratedVotes, [], { total: 0 });
});
const region = (name: string) => within(screen.getByRole('region', { name }));

test('an appeal shows its text, standing and votes, and leaves the queue when answered [R39]', async () => {
  server().respond(listAppeals, [appeal()], { total: 1 });
  server().respond(answerAppeal, appeal({ answer: 'Lifted', answeredAt: TIME }));
  const user = userEvent.setup();
  draw(<VotesTab />);
  const appeals = region('Appeals');
  const row = await appeals.findByRole('listitem');
  expect(row).toHaveTextContent('We share an office');
  expect(row).toHaveTextContent('Verifieduser 7ana');
  expect(row).toHaveTextContent('12 votes; excluded: 4 held too little SUI, 2 look automated, 0 by a moderator');
  await user.click(appeals.getByRole('button', { name: 'Answer appeal 3' }));
  server().respond(listAppeals, [], { total: 0 });
  await giveReason('Answer appeal #3', ' Lifted ', 'Send answer', 'Answer');
  expect(await toastShown()).toMatchObject({ title: 'Appeal answered', variant: 'success' });
  expect(server().calls(answerAppeal)[0]).toMatchObject({ params: { id: '3' }, body: { answer: 'Lifted' } });
  expect(await appeals.findByText('No appeal waits for an answer.')).toBeVisible();
});

test('an answered appeal shows its answer and no button [R39]', async () => {
  server().respond(listAppeals, ({ query }) =>
    query['state'] === 'open' ? [appeal()] : [appeal({ id: 2, answer: 'No', answeredAt: TIME })],
  );
  server().reject(answerAppeal, 409, { error: 'wrong_state', message: 'This appeal has already been answered' });
  const user = userEvent.setup();
  draw(<VotesTab />);
  const appeals = region('Appeals');
  await user.click(await appeals.findByRole('button', { name: 'Answer appeal 3' }));
  await giveReason('Answer appeal #3', 'Late', 'Send answer', 'Answer');
  expect(await toastShown('Error')).toMatchObject({ description: 'This appeal has already been answered' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(appeals.getByRole('radio', { name: 'Answered' }));
  await waitFor(() => expect(appeals.getByRole('listitem')).toHaveTextContent(/Answered .*: No/));
  expect(appeals.queryByRole('button', { name: /^Answer appeal/ })).toBeNull();
});

const PAYMENT_ID = '11111111-1111-4111-8111-111111111111';
const FEE = {
  paymentId: PAYMENT_ID,
  amountMist: '15000000000',
  paidBy: ADDRESS,
  refundedMist: null,
  refundTransactionHash: null,
};
const project = { id: 4, slug: 'coral', name: 'Coral', hiddenReason: 'A copy', fee: FEE };

test('a listing that is shown again or was free offers no refund [R80]', async () => {
  const rows = [
    appeal({ id: 3, project: { ...project, hiddenReason: null } }),
    appeal({ id: 4, project: { ...project, fee: null } }),
  ];
  server().respond(listAppeals, rows, { total: 2 });
  draw(<VotesTab />);
  const appeals = region('Appeals');
  expect(await appeals.findByText(/shown again/)).toBeVisible();
  expect(appeals.queryByRole('button', { name: /^Refund/ })).toBeNull();
});

test('an excluded vote is counted again, and a counted one is excluded, each with a reason [R39]', async () => {
  server().respond(listModeratedVotes, ({ query }) =>
    query['voterId'] === '7' ? [vote({ state: 'verified', detail: null })] : [vote()],
  );
  server().respond(moderateVote, { success: true });
  const user = userEvent.setup();
  draw(<VotesTab />);
  const votes = region('Excluded votes');
  expect(await votes.findByRole('listitem')).toHaveTextContent(
    /user 7, ana: bullish on Coral.*Twelve wallets voted alike/,
  );
  await user.click(votes.getByRole('button', { name: 'Count again: the vote of ana on Coral' }));
  await giveReason('Count the vote again', 'An office', 'Count again');
  expect(await toastShown()).toMatchObject({ title: 'Vote counts again', variant: 'success' });
  await user.type(votes.getByRole('searchbox'), '7{Enter}');
  await user.click(await votes.findByRole('button', { name: 'Exclude: the vote of ana on Coral' }));
  await giveReason('Exclude the vote', 'Sold', 'Exclude');
  expect(await toastShown('Vote excluded')).toMatchObject({ description: 'the vote of ana on Coral' });
  expect(server().calls(moderateVote)).toMatchObject([
    { params: { id: '7' }, body: { projectId: 4, aside: false, reason: 'An office' } },
    { params: { id: '7' }, body: { projectId: 4, aside: true, reason: 'Sold' } },
  ]);
});
