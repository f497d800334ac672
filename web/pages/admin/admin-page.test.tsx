// @vitest-environment happy-dom
/** The admin panel's gates, pause, moderation and audit log. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  adminLogin,
  adminLogout,
  getConfig,
  listAllWithdrawals,
  listModeratedProjects,
  listModeratedReplies,
  listModeratedReviews,
  listPayouts,
  moderateReply,
  moderateReview,
  getAutomaticPayouts,
} from '#shared/contract/admin.ts';
import { NOTHING_AUTOMATIC } from '#shared/testing/automatic-payouts.ts';
import { getOverview } from '#shared/contract/overview.ts';
import { listNameReviews, type NameReview, reviewName } from '#shared/contract/names.ts';
import { dismissReports, listReports, type ReportedSubject } from '#shared/contract/reports.ts';
import { listAllPayments } from '#shared/contract/payments.ts';
import { ADMIN_TOKEN_KEY } from '#shared/constants.ts';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { ADDRESS, ADMIN, OVERVIEW, STATS, TIME } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { AdminPage } from './admin-page.tsx';
import { adminToken, adminRequest, NotAuthenticatedError } from './admin-session.ts';
import { ModerationTab } from './moderation/moderation-tab.tsx';
import { addToHistory, sqlHistory } from './console/history.ts';

const server = useTestPage();
const signInAsAdmin = () => session.signedIn({ user: ADMIN, stats: STATS });

const ACTIVE = { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' } as const;

beforeEach(() => {
  adminToken.set(null);
  server().respond(getConfig, ACTIVE);
  server().respond(listAllWithdrawals, [], { total: 0 });
  server().respond(listPayouts, [], { total: 0 });
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
  server().respond(getOverview, OVERVIEW);
});

describe('the gates [S2.38 S2.39 S2.40]', () => {
  test('the right password opens the panel and stores its token; Logout removes both [S4.9]', async () => {
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

  test('a wrong password clears the field, another failure keeps its text; both show an error [S8.17]', async () => {
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

  test('a token that the server rejects shows the login again; other failures keep it', async () => {
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

describe('moderation [S2.40 R31]', () => {
  const PROJECT = {
    id: 4,
    slug: 'coral',
    name: 'Coral',
    owner: ADDRESS,
    hiddenAt: null,
    hiddenReason: null,
    coinType: null,
    coinMinimum: 1,
    packageId: null,
  };
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
  const SHOWN = {
    category: 'DeFi',
    description: 'Swaps',
    imageUrl: '/images/x.webp',
    twitterHandle: 'coral',
    website: null,
    owner: ADDRESS,
  };
  const NAME_REVIEW: NameReview = {
    ...SHOWN,
    paymentId: '6a1f4a54-0a7e-4b62-9f7c-0f2a4d0a9c11',
    purpose: 'submit',
    since: TIME,
    isListed: false,
    project: null,
    name: 'C0ral',
    others: [{ ...SHOWN, id: 4, slug: 'coral', name: 'Coral', listedAt: TIME }],
  };
  beforeEach(() => {
    adminToken.set('token');
    server().respond(listModeratedProjects, [PROJECT], { total: 1 });
    server().respond(listModeratedReviews, [REVIEW], { total: 1 });
    server().respond(listModeratedReplies, [REPLY], { total: 1 });
    server().respond(listNameReviews, [NAME_REVIEW], { total: 1 });
    server().respond(listReports, [REPORTED, GONE], { total: 2 });
  });

  test('a report shows content, reasons and count, and is resolved by hiding or dismissing with a reason [R51]', async () => {
    server().respond(moderateReview, { success: true });
    server().respond(dismissReports, { success: true });
    const user = userEvent.setup();
    draw(<ModerationTab />);
    const queue = within(await screen.findByRole('region', { name: 'Reports' }));
    const head = queue.getByRole('heading', { name: 'Reports' }).parentElement;
    await waitFor(() => expect(head).toHaveTextContent(/^Reports2$/));
    const name = 'Review of Atoll by 0x1200...cdef';
    expect(await queue.findByRole('link', { name })).toHaveAttribute('href', '/projects/atoll');
    for (const text of ['Cheap watches', 'It is an advertisement', 'Spam or advertising: 2', 'Something else: 1'])
      expect(queue.getByText(text)).toBeVisible();
    expect(queue.getAllByRole('listitem')[0]).toHaveTextContent('3 reports, the first');
    // A report on deleted content can only be dismissed.
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

  test('look-alike names are shown side by side, and one is listed or declined [R74]', async () => {
    server().respond(reviewName, { success: true });
    const user = userEvent.setup();
    draw(<ModerationTab />);
    const queue = within(await screen.findByRole('region', { name: /^Names that look alike/ }));
    expect(await queue.findByText('C0ral')).toBeVisible();
    expect(queue.getByText('Coral')).toBeVisible();
    expect(queue.getByText('Listed before')).toBeVisible();
    await user.click(queue.getByRole('button', { name: 'List C0ral' }));
    expect(await toastShown('Name listed')).toMatchObject({ variant: 'success' });
    await user.click(queue.getByRole('button', { name: 'Decline C0ral' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline the name' }));
    await user.type(dialog.getByLabelText('Reason'), 'Copies Coral');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await toastShown('Name declined')).toMatchObject({ variant: 'success' });
    const params = { id: NAME_REVIEW.paymentId };
    expect(server().calls(reviewName)).toMatchObject([
      { params, body: { decision: 'list' } },
      { params, body: { decision: 'decline', reason: 'Copies Coral' } },
    ]);
  });

  test('a reply is hidden with a reason that its owner can read [R51]', async () => {
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
});
