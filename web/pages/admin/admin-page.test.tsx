// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  adminLogin,
  getConfig,
  listAllWithdrawals,
  listModeratedProjects,
  listModeratedReplies,
  listModeratedReviews,
  moderateReply,
  getAutomaticPayouts,
} from '#shared/contract/admin.ts';
import { NOTHING_AUTOMATIC } from '#shared/testing/automatic-payouts.ts';
import { getOverview } from '#shared/contract/overview.ts';
import { listClaims } from '#shared/contract/claims.ts';
import { listMarked } from '#shared/contract/marks.ts';
import { listReports } from '#shared/contract/reports.ts';
import { listAllPayments } from '#shared/contract/payments.ts';
import { ADMIN_TOKEN_KEY } from '#shared/constants.ts';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';
import { ADMIN, OVERVIEW, STATS } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { AdminPage } from './admin-page.tsx';
import { adminToken, adminRequest, NotAuthenticatedError } from './admin-session.ts';
import { giveReason } from './testing/give-reason.ts';
import { ModerationTab } from './moderation/moderation-tab.tsx';

const server = useTestPage();
const signInAsAdmin = () => session.signedIn({ user: ADMIN, stats: STATS });

const ACTIVE = { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' } as const;

beforeEach(() => {
  adminToken.set(null);
  server().respond(getConfig, ACTIVE);
  server().respond(listAllWithdrawals, [], { total: 0 });
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
  server().respond(getOverview, OVERVIEW);
});

test('a wrong password clears the field, and another failure keeps it [S8.17 S2.38 S2.39]', async () => {
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

test('a rejected token shows the login again, and other failures keep the token [S2.38 S2.39 S2.40]', async () => {
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

test('a late rejection of an earlier token keeps the current one [S2.38 S2.39 S2.40]', async () => {
  adminToken.set('first');
  server().reject(listAllPayments, 401, { error: 'invalid_token', message: 'No' });
  const late = adminRequest((headers) => api.listAllPayments({ headers }));
  adminToken.set('second');
  await expect(late).rejects.toThrow('No');
  expect(adminToken.get()).toBe('second');
});

test('the end of the session closes the admin panel [S4.9 S2.38 S2.39]', async () => {
  signInAsAdmin();
  adminToken.set('token');
  localStorage.setItem(ADMIN_TOKEN_KEY, 'token');
  session.updateStats(ADMIN.id, { ...STATS, totalVotes: 99 });
  expect(adminToken.get()).toBe('token');
  session.lost(session.era());
  expect(adminToken.get()).toBeNull();
  expect(localStorage.getItem(ADMIN_TOKEN_KEY)).toBeNull();
});

test('a moderator hides a reply with a reason that its owner can read [R51 S2.40 R31]', async () => {
  adminToken.set('token');
  server().respond(listModeratedProjects, [], { total: 0 });
  server().respond(listModeratedReviews, [], { total: 0 });
  const content = { content: 'Thank you', owner: 'ben', projectName: 'Lagoon', projectSlug: 'lagoon' };
  server().respond(listModeratedReplies, [{ ...content, id: 10, hiddenAt: null, hiddenReason: null }], { total: 1 });
  server().respond(listMarked, [], { total: 0 });
  server().respond(listClaims, [], { total: 0 });
  server().respond(listReports, [], { total: 0 });
  server().respond(moderateReply, { success: true });
  const user = userEvent.setup();
  draw(<ModerationTab />);
  await user.click(await screen.findByRole('button', { name: 'Hide reply of Lagoon' }));
  expect(await screen.findByText('The owner can read your reason.')).toBeVisible();
  await giveReason('Hide reply', 'An insult', 'Hide');
  expect(await toastShown('Reply hidden')).toMatchObject({ description: 'of Lagoon' });
  expect(server().calls(moderateReply)).toMatchObject([{ params: { id: '10' }, body: { hidden: true } }]);
});
