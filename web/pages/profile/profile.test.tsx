// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { deleteAccount, getArchive } from '#shared/contract/accounts.ts';
import { endSessions, signOut, endSession, listSessions, type SessionInfo } from '#shared/contract/auth.ts';
import { getPush } from '#shared/contract/push.ts';
import { getStats, getUser, updateUser } from '#shared/contract/users.ts';
import { LETTER_KEYS_KEY } from '../../lib/key-of.ts';
import { session } from '../../lib/session.ts';
import { STATS, TIME, USER } from '../../testing/made-up.ts';
import { draw, PICTURE_HEADS, pictureOf, pressToLoad, toastShown, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { ProfilePage } from './profile-page.tsx';

const server = useTestPage();
const SAVED = { ...USER, username: 'ana', twitterLink: 'https://x.com/ana' };
const HERE: SessionInfo = {
  id: '11111111-1111-4111-8111-111111111111',
  device: 'Chrome on Linux',
  signedInAt: TIME,
  lastSeenAt: TIME,
  isCurrent: true,
};
const PHONE: SessionInfo = {
  ...HERE,
  id: '22222222-2222-4222-8222-222222222222',
  device: 'Safari on iPhone',
  isCurrent: false,
};

beforeEach(() => {
  server().respond(getUser, SAVED);
  server().respond(getStats, STATS);
  server().respond(listSessions, [HERE, PHONE]);
  server().respond(getPush, { publicKey: null, kinds: [], isOnHere: false, browsers: 0, endpoint: null });
});

async function open() {
  const user = userEvent.setup();
  draw(<ProfilePage />);
  const name = await screen.findByLabelText('Username');
  await screen.findByText('Chrome on Linux');
  return { user, name, save: screen.getByRole('button', { name: 'Save Profile' }) };
}

test('a rejected profile shows the reason beside its field and in a toast, and keeps the input [S8.11 S2.25 R29]', async () => {
  server().reject(updateUser, 409, { error: 'taken', message: 'This name is taken', field: 'username' });
  const { user, name, save } = await open();
  await user.type(name, 'x');
  await user.click(save);
  expect(await toastShown()).toMatchObject({
    title: 'Update failed',
    description: 'This name is taken',
    variant: 'destructive',
  });
  expect(name).toHaveAccessibleDescription(/This name is taken$/);
  expect(name).toHaveValue('anax');
  expect(name).toHaveFocus();
  server().failSilently(updateUser);
  await user.click(save);
  await waitFor(() => expect(toasts.get()[0]?.description).toBe('Failed to update profile'));
});

test("the profile shows the user's statistics [S2.25]", async () => {
  server().respond(getStats, {
    ...STATS,
    tokenBalance: 1_230,
    totalVotes: 41,
    bullishPercentage: 63,
    currentStreak: 6,
  });
  await open();
  const stats = within(screen.getByRole('region', { name: 'Your Statistics' }));
  await waitFor(() =>
    expect(stats.getAllByRole('term').map((term) => term.parentElement?.textContent)).toEqual([
      'Total votes41',
      'Bullish63%',
      'Snaps1,230',
      'Streak6 days',
    ]),
  );
});

test('a profile is saved once at a time [S2.25 R29]', async () => {
  const response = Promise.withResolvers<typeof SAVED>();
  server().respond(updateUser, () => response.promise);
  const { user, name, save } = await open();
  await user.type(name, 'x');
  await user.click(save);
  expect(await screen.findByText('Saving...')).toBeVisible();
  await user.type(name, '{Enter}');
  response.resolve(SAVED);
  await toastShown('Profile updated!');
  expect(server().calls(updateUser)).toHaveLength(1);
});

const field = () => screen.getByLabelText('Upload Avatar');

test.each([
  [
    'another type',
    () => pictureOf(300, 300, { head: '<svg xmlns=' }),
    'Please use a PNG, JPEG, WebP, GIF or AVIF image',
  ],
  ['a broken one', () => pictureOf(0, 0), 'This image cannot be read. Please try another file.'],
  [
    'more than 25 megapixels',
    () => pictureOf(6_251, 4_000),
    /^The image has 6251 × 4000 pixels, .* limit is 25 megapixels/,
  ],
  [
    'an AVIF of more than 12.5',
    () => pictureOf(3_126, 4_000, { head: PICTURE_HEADS.avif }),
    /limit is 12.5 megapixels/,
  ],
])('the profile rejects a picture: %s [R29 R25]', async (_, picture, message) => {
  await open();
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(field(), picture());
  expect(await screen.findByText(message)).toHaveAttribute('role', 'alert');
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});

test.each([
  '',
  'image/x-png',
  'image/pjpeg',
  'application/octet-stream',
  'binary/octet-stream',
  'image/svg+xml',
  'text/plain',
])('the profile takes a PNG that the system labels %j [R25]', async (type) => {
  await open();
  await userEvent.setup({ applyAccept: false }).upload(field(), pictureOf(300, 300, { type }));
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeVisible();
  expect(document.querySelector('img[src^="data:"]')).toHaveAttribute(
    'src',
    expect.stringMatching(/^data:image\/png;/),
  );
});

test('each session is listed, and another one is ended alone', async () => {
  server().respond(endSession, { success: true });
  const { user } = await open();
  const [here, phone] = within(screen.getByRole('region', { name: 'Where you are signed in' })).getAllByRole(
    'listitem',
  );
  expect(here).toHaveTextContent(/Chrome on LinuxThis device.*Last seen now/);
  expect(phone).toHaveTextContent(/Safari on iPhone.*Last seen .* ago/);
  expect(phone).not.toHaveTextContent('This device');
  server().respond(listSessions, [HERE]);
  await user.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
  expect(await toastShown()).toMatchObject({ title: 'Signed out', description: 'That session has ended.' });
  expect(server().calls(endSession)[0]?.params).toEqual({ id: PHONE.id });
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
  expect(session.get().status).toBe('signedIn');
});

const region = () => within(screen.getByRole('region', { name: 'Your data' }));

test('a refused download shows its reason and can be repeated [R55]', async () => {
  server().reject(getArchive, 429, { error: 'archive_limit', message: 'You can download your data 5 times a day.' });
  const { user } = await open();
  await user.click(region().getByRole('button', { name: 'Download' }));
  expect(await toastShown('Download failed')).toMatchObject({
    description: 'You can download your data 5 times a day.',
  });
  expect(server().calls(getArchive)[0]?.params).toEqual({ id: String(USER.id) });
  expect(region().getByRole('button', { name: 'Download' })).toBeEnabled();
});

test('deleting an account lists what is deleted, and sends nothing when canceled [R55]', async () => {
  const { user } = await open();
  await pressToLoad(region().getByRole('button', { name: 'Delete account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  expect(dialog.getByText(/Snaps: they are burned\. Withdraw them first\.$/)).toBeVisible();
  await user.click(dialog.getByRole('switch', { name: /^Also remove my reviews/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server().calls(deleteAccount)).toEqual([]);
});

test('the dialog signs out every device or only the other ones', async () => {
  server().respond(endSessions, { success: true });
  server().respond(signOut, { success: true });
  const { user } = await open();
  for (const [choice, keepCurrent, status] of [
    ['Only other devices', 'true', 'signedIn'],
    ['Sign out everywhere', 'false', 'none'],
  ] as const) {
    await pressToLoad(screen.getByRole('button', { name: 'Sign out everywhere' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out everywhere?' }));
    await user.click(dialog.getByRole('button', { name: choice }));
    await waitFor(() => expect(server().calls(endSessions).at(-1)?.query).toEqual({ keepCurrent }));
    await waitFor(() => expect(session.get().status).toBe(status));
  }
});

test('a switch turns the letter keys off, and another tab follows [S2.25]', async () => {
  const { user } = await open();
  const letters = () => screen.getByRole('switch', { name: 'Letters S to skip and Z to undo' });
  expect(letters()).toBeChecked();
  await user.click(letters());
  expect(localStorage.getItem(LETTER_KEYS_KEY)).toBe('off');
  localStorage.removeItem(LETTER_KEYS_KEY);
  dispatchEvent(new StorageEvent('storage', { key: LETTER_KEYS_KEY }));
  await waitFor(() => expect(letters()).toBeChecked());
});
