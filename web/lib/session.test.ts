// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { ADMIN_TOKEN_KEY, POLL_STATS_MS, SESSION_CACHE_KEY, SQL_HISTORY_KEY } from '#shared/constants.ts';
import { signIn, signOut } from '#shared/contract/auth.ts';
import { getStats } from '#shared/contract/users.ts';
import { TestServer } from '../testing/test-server.ts';
import { STATS, USER } from '../testing/made-up.ts';
import { api } from './api.ts';
import { queries, queryClient } from './queries.ts';
import { session, startSession } from './session.ts';

const server = new TestServer();
server.listen();
server.respond(signOut, { success: true });
server.respond(signIn, { user: USER, stats: STATS });
startSession();

const signalOtherTab = (key: string | null, newValue: string | null, storageArea = localStorage) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea }));

beforeEach(() => {
  localStorage.clear();
  session.signedIn({ user: USER, stats: STATS });
});

test('data of the admin ends with the session [S4.9]', async () => {
  localStorage.setItem(ADMIN_TOKEN_KEY, 'token');
  localStorage.setItem(SQL_HISTORY_KEY, '[]');
  session.updateStats(USER.id, { ...STATS, totalVotes: 13 });
  expect([localStorage.getItem(ADMIN_TOKEN_KEY), localStorage.getItem(SQL_HISTORY_KEY)]).toEqual(['token', '[]']);
  await session.signOut();
  expect([localStorage.getItem(ADMIN_TOKEN_KEY), localStorage.getItem(SQL_HISTORY_KEY)]).toEqual([null, null]);
});

test('a sign-out in another tab ends the session here, and other keys do not [S4.2]', () => {
  signalOtherTab('theme', null);
  signalOtherTab(SESSION_CACHE_KEY, null, sessionStorage);
  expect(session.get().status).toBe('signedIn');
  signalOtherTab(SESSION_CACHE_KEY, null);
  expect(session.get().status).toBe('ended');
});

test('a call without a session ends it, and another 401 does not', async () => {
  server.reject(getStats, 401, { error: 'invalid_password', message: 'No' });
  await expect(api.getStats({ params: { id: 7 } })).rejects.toThrow('No');
  expect(session.get().status).toBe('signedIn');
  server.reject(getStats, 401, { error: 'not_signed_in', message: 'No' });
  await expect(api.getStats({ params: { id: 7 } })).rejects.toThrow('No');
  expect(session.get().status).toBe('ended');
});

test('polls of private data end with the session, also on a page that is still open [S4.1 S9.4]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  server.respond(getStats, STATS);
  const polls = () => server.calls(getStats).length;
  const leave = new QueryObserver(queryClient, queries.stats(USER.id)).subscribe(() => undefined);
  const before = polls();
  await vi.advanceTimersByTimeAsync(POLL_STATS_MS);
  expect(polls()).toBe(before + 1);
  await session.signOut();
  await vi.advanceTimersByTimeAsync(4 * POLL_STATS_MS);
  expect(polls()).toBe(before + 1);
  leave();
  vi.useRealTimers();
});
