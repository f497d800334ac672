// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { adminLogin, getConfig, listAllWithdrawals, getAutomaticPayouts, setConfig } from '#shared/contract/admin.ts';
import { NOTHING_AUTOMATIC } from '#shared/testing/automatic-payouts.ts';
import { signIn } from '#shared/contract/auth.ts';
import { getOverview } from '#shared/contract/overview.ts';
import { listPeople, type Member } from '#shared/contract/people.ts';
import type { Role } from '#shared/people/roles.ts';
import { session } from '../../lib/session.ts';
import { ADDRESS, ADMIN, OVERVIEW, SITE, STATS, TIME, USER } from '../../testing/made-up.ts';
import { draw, pressToLoad, toastShown, useTestPage } from '../../testing/screen.tsx';
import { AdminPage } from './admin-page.tsx';
import { adminToken } from './admin-session.ts';
import { OverviewTab } from './overview/overview-tab.tsx';

const server = useTestPage();

const MEMBER: Member = {
  wallet: ADDRESS,
  username: 'ana',
  role: 'payer',
  state: 'active',
  grantedBy: SITE.adminWallet,
  grantedAt: TIME,
  revokedAt: null,
  passwordExpiresAt: null,
  lockedUntil: null,
  lastActAt: TIME,
};
const signInAs = (role: Role) => session.signedIn({ user: role === 'owner' ? ADMIN : { ...USER, role }, stats: STATS });
const figureOf = (title: string): HTMLElement => {
  const figure = screen.getByText(title).closest('figure');
  if (!figure) throw new Error(`${title} is no figure`);
  return figure;
};
const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);

beforeEach(() => {
  adminToken.set('token');
  server().respond(getConfig, { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' });
  server().respond(getOverview, OVERVIEW);
  server().respond(listAllWithdrawals, [], { total: 0 });
  server().respond(getAutomaticPayouts, NOTHING_AUTOMATIC);
  server().respond(listPeople, { people: [MEMBER] });
});

test('the owner sees all tabs of the admin panel [R54]', async () => {
  signInAs('owner');
  draw(<AdminPage />);
  expect(await screen.findByText('Last 90 days')).toBeVisible();
  expect(tabs()).toEqual([
    'Overview',
    'Withdrawals',
    'SQL console',
    'Payments',
    'Moderation',
    'Votes',
    'Catalogue',
    'People',
    'Audit log',
  ]);
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull();
});

test('a payer sees the pause in the tab of withdrawals, and cannot change it [R54]', async () => {
  signInAs('payer');
  draw(<AdminPage />);
  expect(await screen.findByText('Signed in as payer')).toBeVisible();
  expect(tabs()).toEqual(['Overview', 'Withdrawals']);
  expect(screen.queryByRole('switch')).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Withdrawals' }));
  expect(await screen.findByText(/^Not paused: users can withdraw/)).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Pause withdrawals' })).toHaveAttribute('aria-disabled', 'true');
});

test('a moderator sees moderation and no pause [R54]', () => {
  signInAs('moderator');
  draw(<AdminPage />);
  expect(tabs()).toEqual(['Overview', 'Moderation']);
  expect(screen.queryByRole('switch')).toBeNull();
});

test('a revoked role leaves the admin panel at the next call [R54]', async () => {
  signInAs('payer');
  const user = userEvent.setup();
  draw(<AdminPage />);
  await screen.findByText('Signed in as payer');
  server().reject(listAllWithdrawals, 403, { error: 'not_admin', message: 'Only the admin wallet may do this' });
  server().respond(signIn, { user: USER, stats: STATS });
  await user.click(screen.getByRole('tab', { name: 'Withdrawals' }));
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expect(adminToken.get()).toBeNull();
});

test('a changed role shows its tabs [R54]', async () => {
  signInAs('payer');
  const user = userEvent.setup();
  draw(<AdminPage />);
  await screen.findByText('Signed in as payer');
  server().reject(listAllWithdrawals, 403, { error: 'not_your_role', message: 'Your role does not allow this' });
  server().respond(signIn, { user: { ...USER, role: 'moderator' }, stats: STATS });
  await user.click(screen.getByRole('tab', { name: 'Withdrawals' }));
  expect(await screen.findByText('Signed in as moderator')).toBeVisible();
  expect(tabs()).toEqual(['Overview', 'Moderation']);
});

test('a moderator changes the password, and a wrong current one shows an error [R54]', async () => {
  signInAs('moderator');
  const user = userEvent.setup();
  draw(<AdminPage />);
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }));
  const submit = dialog.getByRole('button', { name: 'Change password' });
  await user.click(submit);
  expect(dialog.getByLabelText('Current password')).toHaveAccessibleDescription('Enter your current password');
  await user.type(dialog.getByLabelText('Current password'), 'the present password');
  await user.type(dialog.getByLabelText('New password'), 'a newer password');
  await user.type(dialog.getByLabelText('Repeat the new password'), 'a newer password');
  server().reject(adminLogin, 401, { error: 'invalid_password', message: 'Invalid password' });
  await user.click(submit);
  await waitFor(() =>
    expect(dialog.getByLabelText('Current password')).toHaveAccessibleDescription('Invalid password'),
  );
  server().respond(adminLogin, { success: true, sessionToken: 'fresh', expiresAt: TIME, role: 'moderator' });
  await user.click(submit);
  expect(await toastShown('Password changed')).toMatchObject({ variant: 'success' });
  expect(adminToken.get()).toBe('fresh');
  expect(screen.queryByRole('dialog')).toBeNull();
});

const day = (name: string) => ({
  day: name,
  votes: 5,
  users: 2,
  revenueMist: '15500000000',
  issued: 50,
  burned: 1000,
});

test('the overview shows queues, charts with numbers, jobs, storage and the last backup [R54]', async () => {
  server().respond(getOverview, {
    ...OVERVIEW,
    queues: {
      ...OVERVIEW.queues,
      withdrawals: { open: 1234, oldestAt: TIME },
    },
    days: [day('2026-11-19'), day('2026-11-20')],
    jobs: [
      { name: 'close-days', startedAt: TIME, succeededAt: TIME, durationMs: 1500, error: null, isLate: false },
      { name: 'settle-payouts', startedAt: TIME, succeededAt: null, durationMs: 20, error: 'no ink', isLate: true },
      { name: 'apply-rhythm', startedAt: TIME, succeededAt: TIME, durationMs: 20, error: null, isLate: true },
      { name: 'delete-unused', startedAt: null, succeededAt: null, durationMs: null, error: null, isLate: true },
    ],
    storage: [{ name: 'votes', bytes: 2_500_000_000, bytesPerDay: 1_000_000 }],
    backup: { last: { kind: 'dump', finishedAt: TIME, bytes: 1_200_000 } },
  });
  const onOpen = vi.fn<(tab: string) => void>();
  draw(<OverviewTab onOpen={onOpen} />);
  expect(await screen.findByText('1,234')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Open: Withdrawals' }));
  expect(onOpen).toHaveBeenCalledWith('withdrawals');
  expect(screen.getByText('2 jobs not fine')).toBeVisible();
  for (const badge of ['Failed', 'Late', 'no ink']) expect(screen.getByText(badge)).toBeVisible();
  expect(screen.getByText('Fine')).not.toBeVisible();
  await userEvent.click(screen.getByText('2 other jobs fine'));
  for (const badge of ['Fine', 'Not run yet']) expect(screen.getByText(badge)).toBeVisible();
  expect(screen.getByText(/took 1\.5 s/)).toBeVisible();
  expect(screen.getByText(/Last backup/)).toHaveTextContent('a dump, 1.20 MB');
  expect(screen.getByText('(1.00 MB a day)')).toBeVisible();
  const revenue = within(figureOf('Revenue in SUI by day'));
  await pressToLoad(revenue.getByText(/as a table/));
  expect(revenue.getAllByRole('cell')[0]).toHaveTextContent('15.5');
});

test('an overview where nothing waits and no job fails is two lines [R54]', async () => {
  const fine = { startedAt: TIME, succeededAt: TIME, durationMs: 20, error: null, isLate: false };
  const jobs = Array.from({ length: 29 }, (_, n) => ({ name: `job-${n}`, ...fine }));
  server().respond(getOverview, { ...OVERVIEW, jobs });
  draw(<OverviewTab onOpen={() => undefined} />);
  expect(await screen.findByText('Nothing waits.')).toBeVisible();
  expect(screen.getByText('All 29 jobs are fine')).toBeVisible();
  expect(screen.getByText('job-0')).not.toBeVisible();
});

test('a pause that fails shows an error, and the switch stays where it was [S8.19]', async () => {
  signInAs('owner');
  server().failSilently(setConfig);
  draw(<AdminPage />);
  await userEvent.click(await screen.findByRole('tab', { name: 'Withdrawals' }));
  const pause = await screen.findByRole('switch', { name: 'Pause withdrawals' });
  await userEvent.click(pause);
  expect(await toastShown('Error')).toMatchObject({ description: 'Failed to toggle withdrawal pause' });
  expect(pause).toHaveAttribute('aria-checked', 'false');
});
