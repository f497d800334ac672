// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { listNotices, type Notice, readNotices } from '#shared/contract/notices.ts';
import { endPushHere, getPush, subscribePush } from '#shared/contract/push.ts';
import { POLL_NOTICES_MS } from '#shared/people/notice-kinds.ts';
import { announcement } from '../../lib/announce.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { TIME, USER } from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
import { MADE_SUBSCRIPTION, makePushBrowser, removePushBrowser } from '../../testing/push-browser.ts';
import { PushCard } from '../../pages/profile/push/push-card.tsx';
import { NoticeBell } from './notice-bell.tsx';

const server = useTestPage();
const notice = (id: number, changes: Partial<Notice> = {}): Notice => ({
  id,
  kind: 'reply',
  text: `Coral ${id} replied to your review`,
  link: `/projects/coral#review-${id}`,
  createdAt: TIME,
  readAt: TIME,
  ...changes,
});
const fresh = (id: number) => notice(id, { readAt: null });
let stored: Notice[] = [];
const unread = () => stored.filter(({ readAt }) => readAt === null).length;

beforeEach(() => {
  stored = [fresh(3), fresh(2), notice(1)];
  server().respond(listNotices, () => ({ unread: unread(), notices: stored }));
  server().respond(readNotices, ({ body }) => {
    const { upTo } = body as { upTo: number };
    stored = stored.map((one) => (one.id <= upTo ? { ...one, readAt: TIME } : one));
    return { unread: unread() };
  });
});

test.each([
  ['lost by the browser is renewed', 'granted', subscribePush],
  ['that the user has forbidden since ends', 'denied', endPushHere],
] as const)('a subscription %s when any page opens [R78]', async (_what, permission, write) => {
  const browser = makePushBrowser();
  browser.permission = permission;
  const choice = { publicKey: 'BAAA', kinds: [], isOnHere: true, browsers: 1, endpoint: MADE_SUBSCRIPTION.endpoint };
  server().respond(getPush, choice);
  server().respond(write, choice);
  draw(<NoticeBell userId={USER.id} />);
  await waitFor(() => expect(server().calls(write)).toHaveLength(1));
  removePushBrowser();
});

test('a subscription is renewed once where bell and profile look at the same moment [R78]', async () => {
  makePushBrowser();
  const choice = { publicKey: 'BAAA', kinds: [], isOnHere: true, browsers: 1, endpoint: MADE_SUBSCRIPTION.endpoint };
  const { promise: response, resolve } = Promise.withResolvers<typeof choice>();
  server().respond(getPush, () => response);
  server().respond(subscribePush, choice);
  draw(
    <>
      <NoticeBell userId={USER.id} />
      <PushCard userId={USER.id} />
    </>,
  );
  // Both have asked before there is a response.
  await act(() => vi.dynamicImportSettled());
  resolve(choice);
  expect(await screen.findByText('On in this browser.')).toBeVisible();
  expect([server().calls(getPush), server().calls(subscribePush)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  removePushBrowser();
});

const bell = (name: string | RegExp) => screen.findByRole('button', { name });
const items = () => screen.getAllByRole('menuitem');
const readAgain = () => act(() => queryClient.refetchQueries({ queryKey: queries.notices(USER.id).queryKey }));

test('the bell counts unread notices, links to their pages, and marks shown ones as read [R51]', async () => {
  const user = userEvent.setup();
  draw(<NoticeBell userId={USER.id} />);
  await user.click(await bell('Notifications, 2 unread'));
  expect(items().map(({ textContent }) => /^(Unread: )?Coral \d/.exec(textContent ?? '')?.[0])).toEqual([
    'Unread: Coral 3',
    'Unread: Coral 2',
    'Coral 1',
  ]);
  expect(items()[0]).toHaveAttribute('href', '/projects/coral#review-3');
  await bell('Notifications');
  expect(server().calls(readNotices)).toMatchObject([{ params: { id: '7' }, body: { upTo: 3 } }]);
  // The user still sees what is new until the list is closed.
  expect(items()[1]).toHaveTextContent('Unread: Coral 2');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Notifications' })).toHaveFocus());
  await user.click(await bell('Notifications'));
  await waitFor(() => expect(items()[0]).not.toHaveTextContent('Unread'));
  expect(server().calls(readNotices)).toHaveLength(1);
});

test('notices stay unread while marking them fails [R51]', async () => {
  server().failSilently(readNotices);
  const user = userEvent.setup();
  draw(<NoticeBell userId={USER.id} />);
  await user.click(await bell('Notifications, 2 unread'));
  await waitFor(() => expect(server().calls(readNotices)).toHaveLength(1));
  await user.keyboard('{Escape}');
  await bell('Notifications, 2 unread');
});

test('a notice that arrives is announced once, by a poll or a change of page [R51]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw(<NoticeBell userId={USER.id} />);
  await bell('Notifications, 2 unread');
  expect(announcement.get()).toBe('');
  stored = [fresh(4), ...stored];
  await pass(POLL_NOTICES_MS);
  await bell('Notifications, 3 unread');
  expect(announcement.get()).toBe('New notification: Coral 4 replied to your review');
  stored = [fresh(5), ...stored];
  act(() => history.pushState(null, '', '/leaderboard'));
  await bell('Notifications, 4 unread');
  expect(announcement.get()).toBe('New notification: Coral 5 replied to your review');
  const reads = server().calls(listNotices).length;
  await pass(POLL_NOTICES_MS / 2);
  expect(server().calls(listNotices)).toHaveLength(reads);
});

test('a notice that another tab marks as read is read here, and the reverse [R51]', async () => {
  const other = new BroadcastChannel('snapswipe_notices');
  const heard = vi.fn<() => void>();
  other.addEventListener('message', heard);
  try {
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    await bell('Notifications, 2 unread');
    stored = stored.map((one) => ({ ...one, readAt: TIME }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    other.postMessage('read');
    await bell('Notifications');
    stored = [fresh(9), ...stored];
    await readAgain();
    await user.click(await bell('Notifications, 1 unread'));
    await waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  } finally {
    other.close();
  }
});
