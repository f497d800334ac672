// @vitest-environment happy-dom
/** What every list of the admin panel does: wait, fail and be read again, be empty, and be a file with its own columns. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  listAllWithdrawals,
  listAudit,
  listModeratedProjects,
  listModeratedReplies,
  listModeratedReviews,
  listPayouts,
} from '#shared/contract/admin.ts';
import { listAllPayments } from '#shared/contract/payments.ts';
import { listReports } from '#shared/contract/reports.ts';
import { listAppeals, listModeratedVotes } from '#shared/contract/standing.ts';
import { ADDRESS, paymentOf, RISK, TIME } from '../../testing/made-up.ts';
import { draw, pass, toastShown, useTestPage } from '../../testing/screen.tsx';
import { adminToken } from './admin-session.ts';
import { AuditTab } from './audit/audit-tab.tsx';
import { ModerationTab } from './moderation/moderation-tab.tsx';
import { PaymentsTab } from './payments/payments-tab.tsx';
import { VotesTab } from './votes/votes-tab.tsx';
import { WithdrawalsTab } from './withdrawals/withdrawals-tab.tsx';

const server = useTestPage();
const MARKS = { hiddenAt: null, hiddenReason: null };
const WITHDRAWAL = {
  id: 31,
  tokenAmount: 1500,
  walletAddress: ADDRESS,
  state: 'requested' as const,
  digest: null,
  reason: null,
  createdAt: TIME,
  updatedAt: TIME,
  userId: 7,
  username: 'ana',
  batchId: null,
  risk: RISK,
};
const BATCH = {
  batchId: '11111111-1111-4111-8111-111111111111',
  state: 'sent' as const,
  coinType: null,
  sender: null,
  digest: null,
  note: null,
  recipients: [{ withdrawalId: 31, walletAddress: ADDRESS, tokenAmount: 1500, amountUnits: '15' }],
  createdAt: TIME,
};
const PAYMENT = {
  ...paymentOf('unclaimed'),
  userId: 7,
  walletAddress: ADDRESS,
  failure: null,
  paidBy: null,
  refundedMist: null,
  refundTransactionHash: null,
};
const ENTRY = {
  id: 1,
  actor: ADDRESS,
  action: 'sql',
  detail: 'SELECT',
  ip: null,
  outcome: 'ok',
  rowCount: 1,
  createdAt: TIME,
};
const PROJECT = { id: 4, slug: 'coral', name: 'Coral', owner: 'ana', ...MARKS };
const VOTER = { userId: 7, username: 'ana', walletAddress: ADDRESS };
const APPEAL = {
  ...VOTER,
  id: 3,
  text: 'We share an office',
  standing: 'standing' as const,
  votes: 12,
  noStanding: 4,
  rhythm: 2,
  moderator: 0,
  createdAt: TIME,
  answer: null,
  answeredAt: null,
};
const VOTE = {
  ...VOTER,
  project: { id: 4, slug: 'coral', name: 'Coral' },
  period: 1,
  voteType: 'bullish' as const,
  createdAt: TIME,
  state: 'rhythm' as const,
  detail: 'Twelve wallets voted alike',
};
const REVIEW = { id: 9, content: 'Buy', author: 'ana', projectName: 'Reef', projectSlug: 'reef', ...MARKS };
const REPLY = { id: 9, content: 'Thanks', owner: 'ben', projectName: 'Reef', projectSlug: 'reef', ...MARKS };
const REPORTED = {
  subject: 'review' as const,
  subjectId: 9,
  count: 2,
  reasons: { spam: 1, abuse: 1 },
  texts: ['=Look'],
  firstAt: TIME,
  lastAt: TIME,
  content: 'Buy',
  author: 'ana',
  projectName: 'Reef',
  projectSlug: 'reef',
  hiddenAt: null,
};

function fill(isFull = true): void {
  const rows = <T,>(row: T): T[] => (isFull ? [row] : []);
  const total = isFull ? 1 : 0;
  server().respond(listAllWithdrawals, ({ query }) => (query['state'] === 'requested' ? rows(WITHDRAWAL) : []), {
    total,
  });
  server().respond(listPayouts, rows(BATCH), { total });
  server().respond(listAllPayments, rows(PAYMENT), { total });
  server().respond(listAudit, rows(ENTRY), { total });
  server().respond(listModeratedProjects, rows(PROJECT), { total });
  server().respond(listModeratedReviews, rows(REVIEW), { total });
  server().respond(listModeratedReplies, rows(REPLY), { total });
  server().respond(listReports, rows(REPORTED), { total });
  server().respond(listAppeals, rows(APPEAL), { total });
  server().respond(listModeratedVotes, rows(VOTE), { total });
}

beforeEach(() => {
  adminToken.set('token');
  fill();
});

const LISTS = [
  [
    'Withdrawals requested',
    listAllWithdrawals,
    WithdrawalsTab,
    'No withdrawals are requested right now.',
    'id,state,tokenAmount,walletAddress,userId,username,batchId,digest,reason,createdAt,updatedAt,standing,votes,verified,excluded,voteDays,votesPerMinute,sameNetwork,equalVotes',
  ],
  [
    'Payouts',
    listPayouts,
    WithdrawalsTab,
    // Payouts are listed below the queue, and not at all where there are none.
    'No withdrawals are requested right now.',
    'batchId,state,createdAt,withdrawalId,walletAddress,tokenAmount,amountUnits,coinType,sender,digest,note',
  ],
  [
    'Payments to settle',
    listAllPayments,
    PaymentsTab,
    'Nothing to settle',
    'paymentId,createdAt,purpose,projectName,amountMist,receivedMist,state,failure,note,walletAddress,userId,transactionHash',
  ],
  ['Audit log', listAudit, AuditTab, 'Nothing found', 'id,createdAt,action,outcome,rowCount,detail,actor,ip'],
  [
    'Moderation projects',
    listModeratedProjects,
    ModerationTab,
    'Nothing is hidden',
    'id,slug,name,owner,hiddenAt,hiddenReason',
  ],
  [
    'Moderation reviews',
    listModeratedReviews,
    ModerationTab,
    'Nothing is hidden',
    'id,projectSlug,projectName,author,content,hiddenAt,hiddenReason',
  ],
  [
    'Moderation replies',
    listModeratedReplies,
    ModerationTab,
    'Nothing is hidden',
    'id,projectSlug,projectName,owner,content,hiddenAt,hiddenReason',
  ],
  [
    'Reports',
    listReports,
    ModerationTab,
    'No report waits for a decision.',
    'subject,subjectId,count,reasons,texts,firstAt,lastAt,content,author,projectSlug,projectName,hiddenAt',
  ],
  [
    'Appeals open',
    listAppeals,
    VotesTab,
    'No appeal waits for an answer.',
    'id,userId,username,walletAddress,standing,votes,noStanding,rhythm,moderator,text,createdAt,answer,answeredAt',
  ],
  [
    'Excluded votes',
    listModeratedVotes,
    VotesTab,
    'No excluded votes',
    'userId,username,walletAddress,project,period,voteType,createdAt,state,detail',
  ],
] as const;

describe.each(LISTS)('%s [R33]', (name, endpoint, Tab, emptyText, columns) => {
  const download = { name: `Download CSV of ${name}` };

  test('a list that fails says so, and is read again on request; one that does not, does not', async () => {
    server().failSilently(endpoint);
    const user = userEvent.setup();
    draw(<Tab />);
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.queryByRole('button', download)).toBeNull();
    fill();
    await user.click(again);
    expect(await screen.findByRole('button', download)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(emptyText)).toBeNull();
  });

  test('an empty one says so and makes no file', async () => {
    fill(false);
    draw(<Tab />);
    expect(await screen.findByText(emptyText)).toBeVisible();
    expect(screen.queryByRole('button', download)).toBeNull();
  });

  test('its file has its own columns, and a row for each entry', async () => {
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      files.push(blob as Blob);
      return 'blob:csv';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const user = userEvent.setup();
    draw(<Tab />);
    await user.click(await screen.findByRole('button', download));
    expect(await toastShown()).toMatchObject({ title: `${name}: CSV downloaded`, description: '1 row' });
    const [head, row = '', end] = ((await files[0]?.text()) ?? '').split('\r\n');
    expect(head).toBe(`\uFEFF${columns}`);
    expect(row.split(',')).toHaveLength(columns.split(',').length);
    expect(end).toBe('');
    expect(names).toEqual([`snapswipe-${name.toLowerCase().replaceAll(' ', '-')}.csv`]);
  });
});

test('a search of what is moderated that finds nothing says that, and an empty one what is hidden [R33]', async () => {
  for (const endpoint of [listModeratedProjects, listModeratedReviews, listModeratedReplies])
    server().respond(endpoint, [], { total: 0 });
  const user = userEvent.setup();
  draw(<ModerationTab />);
  expect(await screen.findByText('Nothing is hidden')).toBeVisible();
  const field = screen.getByRole('searchbox', { name: 'Find projects, reviews and replies' });
  await user.type(field, 'tide{Enter}');
  expect(await screen.findByText('Nothing found')).toBeVisible();
  expect(server().calls(listModeratedReviews).at(-1)?.query).toMatchObject({ q: 'tide' });
  await user.clear(field);
  await user.type(field, '{Enter}');
  expect(await screen.findByText('Nothing is hidden')).toBeVisible();
});

test('the queue and the payouts are read again every 15 seconds, a payout on its way every three', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  draw(<WithdrawalsTab />);
  await pass(100);
  const queue = () =>
    server()
      .calls(listAllWithdrawals)
      .filter(({ query }) => query['state'] === 'requested').length;
  const ready = () =>
    server()
      .calls(listAllWithdrawals)
      .filter(({ query }) => query['state'] === 'approved').length;
  const payouts = () => server().calls(listPayouts).length;
  // What is ready is read twice: of wallets with standing, and of all.
  expect([queue(), ready(), payouts()]).toEqual([1, 2, 1]);
  server().respond(listPayouts, [{ ...BATCH, state: 'paid' }], { total: 1 });
  await pass(2_800);
  expect(payouts()).toBe(1);
  await pass(300);
  expect(payouts()).toBe(2);
  await pass(11_000);
  expect([queue(), ready(), payouts()]).toEqual([1, 2, 2]);
  await pass(1_000);
  expect([queue(), ready(), payouts()]).toEqual([2, 4, 2]);
  await pass(3_200);
  expect(payouts()).toBe(3);
  vi.useRealTimers();
  await waitFor(() => expect(screen.getByText('Paid', { selector: 'span' })).toBeVisible());
});
