// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listNotices, type Notice, readNotices } from '#shared/contract/notices.ts';
import { POLL_NOTICES_MS } from '#shared/notice-kinds.ts';
import { announcement } from '../../lib/announce.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { TIME, USER } from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
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
/** Notices on the server. */
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

const bell = (name: string | RegExp) => screen.findByRole('button', { name });
const items = () => screen.getAllByRole('menuitem');
const readAgain = () => act(() => queryClient.refetchQueries({ queryKey: queries.notices(USER.id).queryKey }));

describe('the bell [R51]', () => {
  test('says how many are unread; the list has links to where it happened, and marks what it shows as read', async () => {
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

  test('opens by keyboard; arrows, Home and End move over the notices', async () => {
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    act(() => document.querySelector('button')?.focus());
    await bell('Notifications, 2 unread');
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(items()[0]).toHaveFocus());
    await user.keyboard('{ArrowDown}');
    expect(items()[1]).toHaveFocus();
    await user.keyboard('{End}');
    expect(items()[2]).toHaveFocus();
  });

  test('an empty list holds a sentence, nothing that looks like a button; the keys still work', async () => {
    stored = [];
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    await user.click(await bell('Notifications'));
    expect(await screen.findByText('No notifications yet.')).toBeVisible();
    expect(screen.queryByRole('menuitem')).toBeNull();
    const menu = screen.getByRole('group', { name: 'Notifications' });
    expect(menu).toHaveFocus();
    expect(menu).toHaveAccessibleDescription('No notifications yet.');
    await user.keyboard('{ArrowDown}{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Notifications' })).toHaveFocus());
    expect(server().calls(readNotices)).toEqual([]);
  });

  test('a list that cannot be loaded shows an error, and is read again on request', async () => {
    server().failSilently(listNotices);
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    await user.click(await bell('Notifications'));
    const again = await screen.findByRole('menuitem', { name: 'Notifications could not be loaded. Try again' });
    const response = Promise.withResolvers<{ unread: number; notices: Notice[] }>();
    server().respond(listNotices, () => response.promise);
    await user.click(again);
    const menu = screen.getByRole('group', { name: 'Notifications' });
    expect(menu).toHaveAccessibleDescription('Loading…');
    expect(menu).toHaveFocus();
    response.resolve({ unread: 0, notices: [notice(1)] });
    expect(await screen.findByText(/^Coral 1/)).toBeVisible();
  });

  test('marks that do not reach the server stay for the next time', async () => {
    server().failSilently(readNotices);
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    await user.click(await bell('Notifications, 2 unread'));
    await waitFor(() => expect(server().calls(readNotices)).toHaveLength(1));
    await user.keyboard('{Escape}');
    await bell('Notifications, 2 unread');
  });

  test('older ones come on request, each once, and a failure can be tried again', async () => {
    const older = [notice(2), notice(1)];
    server().respond(
      listNotices,
      ({ query }) => ({ unread: 0, notices: query['cursor'] ? older : [notice(3), notice(2)] }),
      {
        nextCursor: 'more',
      },
    );
    const user = userEvent.setup();
    draw(<NoticeBell userId={USER.id} />);
    await user.click(await bell('Notifications'));
    await screen.findByText(/^Coral 3/);
    server().failSilently(listNotices);
    await user.click(screen.getByRole('menuitem', { name: 'Show older' }));
    const again = await screen.findByRole('menuitem', { name: 'Older ones could not be loaded. Try again' });
    server().respond(listNotices, ({ query }) => ({
      unread: 0,
      notices: query['cursor'] ? older : [notice(3), notice(2)],
    }));
    await user.click(again);
    await screen.findByText(/^Coral 1/);
    expect(items()).toHaveLength(3);
    expect(announcement.get()).toBe('2 more notifications');
  });
});

describe('notices that arrive while the page is open [R51]', () => {
  test('is announced, not what was there; a slow poll and a visit to another page find it', async () => {
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

  test('a notice that another tab has marked is no longer unread here, and the other way round', async () => {
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
});
