// @vitest-environment happy-dom
/** The admin panel's gates, pause, moderation and audit log. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  adminLogin,
  adminLogout,
  type AuditEntry,
  getConfig,
  listAllWithdrawals,
  listAudit,
  listModeratedProjects,
  listModeratedReplies,
  listModeratedReviews,
  listPayouts,
  moderateProject,
  moderateReply,
  moderateReview,
  setConfig,
} from '#shared/contract/admin.ts';
import { getOverview } from '#shared/contract/overview.ts';
import { dismissReports, listReports, type ReportedSubject } from '#shared/contract/reports.ts';
import { signOut } from '#shared/contract/auth.ts';
import { listAllPayments } from '#shared/contract/payments.ts';
import { ADMIN_TOKEN_KEY } from '#shared/constants.ts';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { ADDRESS, ADMIN, OVERVIEW, SITE, STATS, TIME } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { AdminPage } from './admin-page.tsx';
import { adminToken, adminRequest, NotAuthenticatedError } from './admin-session.ts';
import { AuditTab } from './audit/audit-tab.tsx';
import { ModerationTab } from './moderation/moderation-tab.tsx';
import { PauseSwitch } from './withdrawals/pause-switch.tsx';
import { addToHistory, sqlHistory } from './sql/history.ts';

const server = useTestPage();
const signInAsAdmin = () => session.signedIn({ user: ADMIN, stats: STATS });
const PAUSED = { configKey: 'WITHDRAWALS_PAUSED', configValue: 'true' } as const;
const ACTIVE = { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' } as const;

beforeEach(() => {
  adminToken.set(null);
  server().respond(getConfig, ACTIVE);
  server().respond(listAllWithdrawals, [], { total: 0 });
  server().respond(listPayouts, [], { total: 0 });
  server().respond(getOverview, OVERVIEW);
});

describe('the gates [S2.38 S2.39 S2.40]', () => {
  test('without a wallet, with another wallet, without the password', async () => {
    server().respond(signOut, { success: true });
    draw(<AdminPage />);
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
    expect(screen.getByText('0xaaaa...aaaa')).toHaveAttribute('title', SITE.adminWallet);
    act(() => void session.walletChanged('0x9'));
    expect(await screen.findByRole('heading', { name: 'Wallet Not Connected' })).toBeVisible();
    act(signInAsAdmin);
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible();
    expect(screen.getByText('0xaaaa...aaaa')).toBeVisible();
  });

  test('a wallet that may not enter can be exchanged for another one', async () => {
    server().respond(signOut, { success: true });
    draw(<AdminPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Use another wallet' }));
    expect(await screen.findByRole('heading', { name: 'Wallet Not Connected' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    expect(server().calls(signOut)).toHaveLength(1);
  });

  test('the right password opens the panel and its token is kept; Logout ends both [S4.9]', async () => {
    signInAsAdmin();
    server().respond(adminLogin, { success: true, sessionToken: 'fresh', expiresAt: TIME, role: 'owner' });
    server().respond(adminLogout, { success: true });
    const user = userEvent.setup();
    draw(<AdminPage />);
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByRole('heading', { name: 'Admin Panel' })).toBeVisible();
    expect(server().calls(adminLogin)[0]?.body).toEqual({ walletAddress: ADMIN.walletAddress, password: 'secret' });
    expect(await toastShown()).toMatchObject({ title: 'Login Successful', variant: 'success' });
    expect(localStorage.getItem(ADMIN_TOKEN_KEY)).toBe('fresh');
    await user.click(screen.getByRole('tab', { name: 'Withdrawals' }));
    await screen.findByText('No withdrawals are requested right now.');
    addToHistory('SELECT 1');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible();
    expect(await toastShown('Logged Out')).toMatchObject({ variant: 'success' });
    expect(server().calls(adminLogout)[0]?.headers.get('x-admin-token')).toBe('fresh');
    expect(localStorage.getItem(ADMIN_TOKEN_KEY)).toBeNull();
    expect(sqlHistory.get()).toEqual([]);
    expect(queryClient.getQueryCache().findAll({ queryKey: ['/api/admin'] })).toEqual([]);
  });

  test('a wrong password is emptied, another failure keeps what was typed; both say so [S8.17]', async () => {
    signInAsAdmin();
    const user = userEvent.setup();
    draw(<AdminPage />);
    const password = screen.getByLabelText('Password');
    const login = screen.getByRole('button', { name: 'Login' });
    await user.click(login);
    expect(password).toHaveAccessibleDescription('Enter the password');
    expect(password).toHaveFocus();
    server().reject(adminLogin, 401, { error: 'invalid_password', message: 'Invalid password' });
    await user.type(password, 'wrong');
    expect(password).not.toBeInvalid();
    await user.click(login);
    await waitFor(() =>
      expect(password).toHaveAccessibleDescription(
        /^Wrong password\. After 5 in a row the login is locked for 15 minutes/,
      ),
    );
    expect(password).toHaveValue('');
    expect(await toastShown()).toMatchObject({
      title: 'Login Failed',
      description: 'Invalid password',
      variant: 'destructive',
    });
    server().failSilently(adminLogin);
    await user.type(password, 'right');
    await user.click(login);
    await waitFor(() => expect(password).toHaveAccessibleDescription('Login failed'));
    expect(password).toHaveValue('right');
    expect(password).toHaveFocus();
    expect(login).not.toHaveAttribute('aria-busy', 'true');
  });

  test('a token that the server no longer takes shows the login again; other failures keep it', async () => {
    signInAsAdmin();
    adminToken.set('old');
    vi.spyOn(console, 'warn').mockReturnValue();
    server().reject(listAllPayments, 503, { error: 'unavailable', message: 'Away' });
    const user = userEvent.setup();
    draw(<AdminPage />);
    await user.click(screen.getByRole('tab', { name: 'Payments' }));
    expect(await screen.findByText(/Away/)).toBeVisible();
    expect(adminToken.get()).toBe('old');
    server().reject(listAllPayments, 401, { error: 'invalid_token', message: 'No' });
    await user.click(screen.getByRole('button', { name: /try again/i }));
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible();
    await expect(adminRequest(() => Promise.resolve(1))).rejects.toThrow(NotAuthenticatedError);
  });

  test('a rejection of an earlier token leaves the current one', async () => {
    adminToken.set('first');
    server().reject(listAllPayments, 401, { error: 'invalid_token', message: 'No' });
    const late = adminRequest((headers) => api.listAllPayments({ headers }));
    adminToken.set('second');
    await expect(late).rejects.toThrow('No');
    expect(adminToken.get()).toBe('second');
  });

  test('the end of the session closes the open admin panel [S4.9]', async () => {
    signInAsAdmin();
    adminToken.set('token');
    localStorage.setItem(ADMIN_TOKEN_KEY, 'token');
    session.updateStats(ADMIN.id, { ...STATS, totalVotes: 99 });
    expect(adminToken.get()).toBe('token');
    session.lost(session.era());
    expect(adminToken.get()).toBeNull();
    expect(localStorage.getItem(ADMIN_TOKEN_KEY)).toBeNull();
  });
});

describe('the pause of withdrawals [S4.8 S8.19 S8.21]', () => {
  beforeEach(() => {
    signInAsAdmin();
    adminToken.set('token');
  });

  test('shows the state of the server, and turns it', async () => {
    server().respond(getConfig, PAUSED);
    server().respond(setConfig, ACTIVE);
    const user = userEvent.setup();
    draw(<PauseSwitch />);
    const pause = screen.getByRole('switch', { name: 'Pause withdrawals' });
    await waitFor(() => expect(pause).toBeChecked());
    expect(screen.getByText('Paused')).toBeVisible();
    await user.click(pause);
    expect(await toastShown()).toMatchObject({ title: 'Withdrawals Resumed', variant: 'success' });
    expect(server().calls(setConfig)[0]?.body).toEqual(ACTIVE);
    expect(pause).not.toBeChecked();
    expect(screen.getByText('Active')).toBeVisible();
    server().respond(setConfig, PAUSED);
    await user.click(pause);
    expect(await toastShown('Withdrawals Paused')).toMatchObject({
      description: 'Users cannot withdraw, but still earn by voting.',
    });
    expect(server().calls(setConfig)[1]?.body).toEqual(PAUSED);
    expect(pause).toBeChecked();
  });

  test('cannot be turned before its state is known, and stays where it was on a failure', async () => {
    server().failSilently(setConfig);
    const user = userEvent.setup();
    draw(<PauseSwitch />);
    const pause = screen.getByRole('switch', { name: 'Pause withdrawals' });
    expect(pause).toHaveAttribute('aria-disabled', 'true');
    await waitFor(() => expect(pause).not.toHaveAttribute('aria-disabled'));
    await user.click(pause);
    expect(await toastShown()).toMatchObject({
      description: 'Failed to toggle withdrawal pause',
      variant: 'destructive',
    });
    expect(pause).not.toBeChecked();
  });
});

describe('moderation [S2.40 R31]', () => {
  const PROJECT = { id: 4, slug: 'coral', name: 'Coral', owner: ADDRESS, hiddenAt: null, hiddenReason: null };
  const REVIEW = {
    id: 9,
    hiddenAt: TIME,
    hiddenReason: 'Spam',
    content: 'Buy now',
    author: 'ana',
    projectName: 'Reef',
    projectSlug: 'reef',
  };
  const REPLY = {
    id: 10,
    hiddenAt: null,
    hiddenReason: null,
    content: 'Thank you',
    owner: 'ben',
    projectName: 'Lagoon',
    projectSlug: 'lagoon',
  };
  const REPORTED: ReportedSubject = {
    subject: 'review',
    subjectId: 12,
    count: 3,
    reasons: { spam: 2, other: 1 },
    texts: ['It is an advertisement'],
    firstAt: TIME,
    lastAt: TIME,
    content: 'Cheap watches',
    author: ADDRESS,
    projectName: 'Atoll',
    projectSlug: 'atoll',
    hiddenAt: null,
  };
  const GONE: ReportedSubject = {
    ...REPORTED,
    subject: 'reply',
    subjectId: 13,
    count: 1,
    reasons: { abuse: 1 },
    texts: [],
    content: null,
    author: null,
    projectName: null,
    projectSlug: null,
  };
  beforeEach(() => {
    adminToken.set('token');
    server().respond(listModeratedProjects, [PROJECT], { total: 1 });
    server().respond(listModeratedReviews, [REVIEW], { total: 1 });
    server().respond(listModeratedReplies, [REPLY], { total: 1 });
    server().respond(listReports, [REPORTED, GONE], { total: 2 });
  });

  test('hides a project and shows a review again, each with its reason', async () => {
    server().respond(moderateProject, { success: true });
    server().respond(moderateReview, { success: true });
    const user = userEvent.setup();
    draw(<ModerationTab />);
    const hide = await screen.findByRole('button', { name: 'Hide project Coral' });
    expect(screen.getByRole('link', { name: 'Coral' })).toHaveAttribute('href', '/projects/coral');
    expect(screen.getByText('by 0x1200...cdef')).toBeVisible();
    expect(screen.getByText('Buy now')).toBeVisible();
    expect(screen.getByText('Spam')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Reef' })).toHaveAttribute('href', '/projects/reef');
    await user.click(hide);
    let dialog = within(await screen.findByRole('dialog', { name: 'Hide project' }));
    expect(dialog.getByText('The owner can read your reason.')).toBeVisible();
    await user.type(dialog.getByLabelText('Reason'), 'A copy');
    await user.click(dialog.getByRole('button', { name: 'Hide' }));
    expect(await toastShown()).toMatchObject({ title: 'Project hidden', description: 'Coral' });
    expect(server().calls(moderateProject)[0]).toMatchObject({
      params: { id: '4' },
      body: { hidden: true, reason: 'A copy' },
    });
    await user.click(screen.getByRole('button', { name: 'Unhide review of Reef by ana' }));
    dialog = within(await screen.findByRole('dialog', { name: 'Unhide review' }));
    expect(dialog.getByText('The author can read your reason.')).toBeVisible();
    await user.type(dialog.getByLabelText('Reason'), 'A mistake');
    await user.click(dialog.getByRole('button', { name: 'Unhide' }));
    expect(await toastShown('Review shown again')).toMatchObject({ variant: 'success' });
    expect(server().calls(moderateReview)[0]?.body).toEqual({ hidden: false, reason: 'A mistake' });
  });

  test('a rejection says why; a fallback names what failed', async () => {
    server().failSilently(moderateProject);
    const user = userEvent.setup();
    draw(<ModerationTab />);
    await user.click(await screen.findByRole('button', { name: 'Hide project Coral' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Reason'), 'A copy');
    await user.click(dialog.getByRole('button', { name: 'Hide' }));
    expect(await toastShown('Error')).toMatchObject({ description: 'Failed to hide the project' });
    expect(screen.getByRole('dialog')).toBeVisible();
  });

  test('a report shows what, why and how often, and is resolved by hiding or dismissing, with a reason [R51]', async () => {
    server().respond(moderateReview, { success: true });
    server().respond(dismissReports, { success: true });
    const user = userEvent.setup();
    draw(<ModerationTab />);
    const queue = within(await screen.findByRole('region', { name: 'Reports' }));
    const head = queue.getByRole('heading', { name: 'Reports' }).parentElement;
    // Not a word about how many before that is known.
    expect(head).toHaveTextContent(/^Reports$/);
    await waitFor(() => expect(head).toHaveTextContent(/^Reports2$/));
    const name = 'Review of Atoll by 0x1200...cdef';
    expect(await queue.findByRole('link', { name })).toHaveAttribute('href', '/projects/atoll');
    for (const text of ['Cheap watches', 'It is an advertisement', 'Spam or advertising: 2', 'Something else: 1'])
      expect(queue.getByText(text)).toBeVisible();
    expect(queue.getAllByRole('listitem')[0]).toHaveTextContent('3 reports, the first');
    // What is gone can only be dismissed.
    expect(queue.getAllByRole('button', { name: /^Hide/ })).toHaveLength(1);
    await user.click(queue.getByRole('button', { name: `Hide: ${name}` }));
    const hide = within(await screen.findByRole('dialog', { name: 'Hide the review' }));
    await user.type(hide.getByLabelText('Reason'), 'Spam');
    await user.click(hide.getByRole('button', { name: 'Hide' }));
    expect(await toastShown('Review hidden')).toMatchObject({ variant: 'success' });
    expect(server().calls(moderateReview)).toMatchObject([
      { params: { id: '12' }, body: { hidden: true, reason: 'Spam' } },
    ]);
    await user.click(queue.getByRole('button', { name: 'Dismiss: Reply that is gone' }));
    const dismiss = within(await screen.findByRole('dialog', { name: 'Dismiss the reports' }));
    await user.type(dismiss.getByLabelText('Reason'), 'Gone');
    await user.click(dismiss.getByRole('button', { name: 'Dismiss' }));
    expect(await toastShown('Reports dismissed')).toMatchObject({ variant: 'success' });
    expect(server().calls(dismissReports)).toMatchObject([
      { body: { subject: 'reply', subjectId: 13, reason: 'Gone' } },
    ]);
  });

  test('hides a reply; its owner reads why [R51]', async () => {
    server().respond(moderateReply, { success: true });
    const user = userEvent.setup();
    draw(<ModerationTab />);
    await user.click(await screen.findByRole('button', { name: 'Hide reply of Lagoon' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Hide reply' }));
    expect(dialog.getByText('The owner can read your reason.')).toBeVisible();
    await user.type(dialog.getByLabelText('Reason'), 'An insult');
    await user.click(dialog.getByRole('button', { name: 'Hide' }));
    expect(await toastShown('Reply hidden')).toMatchObject({ description: 'of Lagoon' });
    expect(server().calls(moderateReply)).toMatchObject([{ params: { id: '10' }, body: { hidden: true } }]);
  });

  test('searches all lists for the words, and an empty field ends the search', async () => {
    const user = userEvent.setup();
    draw(<ModerationTab />);
    await screen.findByText('Buy now');
    server().respond(listModeratedProjects, [], { total: 0 });
    server().respond(listModeratedReviews, [], { total: 0 });
    const field = screen.getByRole('searchbox');
    await user.type(field, ' coral {Enter}');
    await waitFor(() => expect(screen.queryByText('Buy now')).toBeNull());
    expect(server().calls(listModeratedProjects).at(-1)?.query['q']).toBe('coral');
    for (const list of [listModeratedReviews, listModeratedReplies])
      expect(server().calls(list).at(-1)?.query['q']).toBe('coral');
    await user.clear(field);
    expect(await screen.findByText('Buy now')).toBeVisible();
  });
});

describe('the audit log [R32]', () => {
  const entry = (id: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
    id,
    actor: ADDRESS,
    action: 'sql',
    detail: `SELECT ${id}`,
    ip: '127.0.0.1',
    outcome: 'ok',
    rowCount: id,
    createdAt: TIME,
    ...changes,
  });
  const column = (name: string) => {
    const at = screen.getAllByRole('columnheader').findIndex((head) => head.textContent === name);
    return screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[at]?.textContent);
  };
  beforeEach(() => adminToken.set('token'));

  test('a click on a head sorts by it: up, down, as it came; more pages join below [R33]', async () => {
    server().respond(
      listAudit,
      ({ query }) => (query['cursor'] === 'next' ? [entry(7)] : [entry(9), entry(10, { ip: null }), entry(8)]),
      { nextCursor: 'next', total: 4 },
    );
    const user = userEvent.setup();
    draw(<AuditTab />);
    const head = await screen.findByRole('button', { name: 'rowCount' });
    expect(column('rowCount')).toEqual(['9', '10', '8']);
    expect(column('ip')).toEqual(['127.0.0.1', 'NULL', '127.0.0.1']);
    expect(column('actor')[0]).toBe('0x1200...cdef');
    await user.click(head);
    expect(column('rowCount')).toEqual(['8', '9', '10']);
    expect(head.closest('th')).toHaveAttribute('aria-sort', 'ascending');
    await user.click(head);
    expect(column('rowCount')).toEqual(['10', '9', '8']);
    expect(head.closest('th')).toHaveAttribute('aria-sort', 'descending');
    await user.click(head);
    expect(column('rowCount')).toEqual(['9', '10', '8']);
    expect(head.closest('th')).not.toHaveAttribute('aria-sort');
    server().respond(listAudit, ({ query }) => (query['cursor'] === 'next' ? [entry(7)] : [entry(9)]), { total: 4 });
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(column('rowCount')).toEqual(['9', '10', '8', '7']));
    expect(screen.getByRole('status')).toHaveTextContent('1 more entries, 4 shown');
    expect(screen.getByText('All 4 entries are shown.')).toHaveFocus();
  });

  test('its CSV contains everything that the search finds, page by page [R33]', async () => {
    server().respond(listAudit, [entry(1)], { total: 1 });
    const user = userEvent.setup();
    draw(<AuditTab />);
    await screen.findByText('SELECT 1');
    server().respond(listAudit, ({ query }) => [entry(query['cursor'] ? 3 : 2)], {});
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      files.push(blob as Blob);
      return 'blob:csv';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      names.push(`${this.download} ${this.href}`);
    });
    await user.click(screen.getByRole('button', { name: 'Download CSV of Audit log' }));
    expect(await toastShown()).toMatchObject({ title: 'Audit log: CSV downloaded', description: '1 row' });
    expect(names).toEqual(['snapswipe-audit-log.csv blob:csv']);
    expect(await files[0]?.text()).toMatch(/^\uFEFFid,createdAt,action,outcome,rowCount,detail,actor,ip\r\n2,/);
    expect(server().calls(listAudit).at(-1)?.query).toEqual({ q: '', limit: '500' });
    server().failSilently(listAudit);
    await user.click(screen.getByRole('button', { name: 'Download CSV of Audit log' }));
    expect(await toastShown('Error')).toMatchObject({ description: 'The CSV file could not be downloaded' });
  });
});
