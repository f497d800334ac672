import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import type { Session } from '#shared/contract/auth.ts';
import { SESSION_CACHE_KEY } from '#shared/constants.ts';
import { ApiError } from './api-error.ts';
import { apiErrorOf } from '../testing/made-up.ts';
import { createSessionStore } from './session-store.ts';

const ALICE = `0x${'a'.repeat(64)}`;
const BOB = `0x${'b'.repeat(64)}`;

function sessionOf(walletAddress: string, tokenBalance = 0): Session {
  const links = { avatarUrl: null, twitterLink: null, telegramLink: null, discordLink: null };
  const votes = { totalVotes: 0, bullishVotes: 0, bearishVotes: 0, bullishPercentage: 0 };
  return {
    user: { id: walletAddress === ALICE ? 1 : 2, username: null, walletAddress, ...links },
    stats: { tokenBalance, tokensEarned: tokenBalance, currentStreak: 0, streak: 0, ...votes },
  };
}

function setUp(cached?: Session | string) {
  const stored = new Map<string, string>();
  if (cached) stored.set(SESSION_CACHE_KEY, typeof cached === 'string' ? cached : JSON.stringify(cached));
  const fetchSession = vi.fn<(address: string) => Promise<Session>>();
  const endSession = vi.fn<() => Promise<void>>().mockResolvedValue();
  const open = () =>
    createSessionStore({
      read: (key) => stored.get(key) ?? null,
      write: (key, value) => void (value === null ? stored.delete(key) : stored.set(key, value)),
      fetchSession,
      endSession,
      warn: () => undefined,
    });
  const cache = () => JSON.parse(stored.get(SESSION_CACHE_KEY) ?? 'null') as Session | null;
  return { store: open(), open, stored, cache, fetchSession, endSession };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the cached user is shown at once as unknown, and then what the server says [S4.2 R4]', async () => {
  const { store, fetchSession, cache } = setUp(sessionOf(ALICE, 10));
  fetchSession.mockResolvedValue(sessionOf(ALICE, 30));
  const started = store.start();
  expect(store.get()).toEqual({ status: 'unknown', ...sessionOf(ALICE, 10) });
  await started;
  expect(fetchSession).toHaveBeenCalledExactlyOnceWith(ALICE);
  expect(store.get()).toEqual({ status: 'signedIn', ...sessionOf(ALICE, 30) });
  expect(cache()).toEqual(sessionOf(ALICE, 30));
});

test.each([undefined, sessionOf(ALICE, 10), sessionOf(BOB)])(
  'a session that came with the page is used without a call, whatever is cached [R4]',
  async (cached) => {
    const { store, fetchSession, cache } = setUp(cached);
    await store.start(sessionOf(ALICE, 30));
    expect(store.get()).toEqual({ status: 'signedIn', ...sessionOf(ALICE, 30) });
    expect(cache()).toEqual(sessionOf(ALICE, 30));
    expect(fetchSession).not.toHaveBeenCalled();
  },
);

test('a sign-out that never reached the server also ends a session that came with the page', async () => {
  const { store, open, endSession, cache } = setUp(sessionOf(ALICE));
  endSession.mockRejectedValueOnce(apiErrorOf(0));
  await store.signOut();
  const next = open();
  await next.start(sessionOf(ALICE));
  expect(next.get().status).toBe('none');
  expect(endSession).toHaveBeenCalledTimes(2);
  expect(cache()).toBeNull();
});

test('a 401 drops the cached user [R4]', async () => {
  const { store, fetchSession, cache } = setUp(sessionOf(ALICE));
  fetchSession.mockRejectedValue(apiErrorOf(401));
  await store.start();
  expect(store.get()).toEqual({ status: 'none', user: null, stats: null });
  expect(cache()).toBeNull();
});

test.each([0, 429, 500, 503])('the cached user is kept after a %i, and the session is read again', async (status) => {
  const { store, fetchSession } = setUp(sessionOf(ALICE));
  fetchSession.mockRejectedValueOnce(apiErrorOf(status)).mockResolvedValue(sessionOf(ALICE));
  await store.start();
  expect(store.get().status).toBe('unknown');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(store.get().status).toBe('signedIn');
});

test.each(['{', 'null', '{}', '{"user":{"id":"1"}}', '[]'])('a broken cache is ignored: %s [R4]', async (text) => {
  const { store, fetchSession } = setUp(text);
  await store.start();
  expect(store.get().status).toBe('none');
  expect(fetchSession).not.toHaveBeenCalled();
});

test.each<[string, Session | ApiError, (store: ReturnType<typeof setUp>['store']) => unknown, string | undefined]>([
  ['rejection undo a sign-in', apiErrorOf(401), (store) => store.signedIn(sessionOf(BOB)), BOB],
  ['yes undo a sign-out', sessionOf(ALICE), (store) => store.signOut(), undefined],
  ['yes undo the sign-in of another wallet', sessionOf(ALICE), (store) => store.signedIn(sessionOf(BOB)), BOB],
])('a session that is being checked lets no late %s [S4.2]', async (_what, late, next, left) => {
  const { store, fetchSession, cache } = setUp(sessionOf(ALICE));
  const response = Promise.withResolvers<Session>();
  fetchSession.mockReturnValue(response.promise);
  const started = store.start();
  await next(store);
  if (late instanceof ApiError) response.reject(late);
  else response.resolve(late);
  await started;
  expect([store.get().user?.walletAddress, cache()?.user.walletAddress]).toEqual([left, left]);
});

test('a new sign-in is kept after a sign-out that never reached the server [R1]', async () => {
  const { store, open, endSession } = setUp();
  store.signedIn(sessionOf(ALICE));
  endSession.mockRejectedValueOnce(apiErrorOf(0));
  await store.signOut();
  store.signedIn(sessionOf(ALICE));
  const next = open();
  await next.start(sessionOf(ALICE));
  expect(next.get().status).toBe('signedIn');
  expect(endSession).toHaveBeenCalledOnce();
});

test('a wallet of another address ends the session [S4.2]', async () => {
  const { store, endSession, cache } = setUp();
  store.signedIn(sessionOf(ALICE));
  expect(store.walletChanged(ALICE)).toBe(false);
  expect(store.get().status).toBe('signedIn');
  expect(store.walletChanged(BOB)).toBe(true);
  expect(store.get().status).toBe('none');
  expect(endSession).toHaveBeenCalledOnce();
  expect(cache()).toBeNull();
  expect(store.walletChanged(BOB)).toBe(false);
});

test('a sign-out that did not reach the server is repeated first [R1]', async () => {
  const { store, open, endSession, fetchSession } = setUp();
  store.signedIn(sessionOf(ALICE));
  endSession.mockRejectedValueOnce(apiErrorOf(0));
  await store.signOut();
  expect(store.get().status).toBe('none');
  await open().start();
  expect(endSession).toHaveBeenCalledTimes(2);
  await open().start();
  expect(endSession).toHaveBeenCalledTimes(2);
  expect(fetchSession).not.toHaveBeenCalled();
});

test('new numbers are stored for the present user only [S3.5]', () => {
  const { store, cache } = setUp();
  store.updateStats(1, sessionOf(ALICE, 10).stats);
  expect(store.get().stats).toBeNull();
  store.signedIn(sessionOf(ALICE));
  store.updateStats(1, sessionOf(ALICE, 10).stats);
  store.updateUser({ ...sessionOf(BOB).user, username: 'bob' });
  store.updateUser({ ...sessionOf(ALICE).user, username: 'alice' });
  expect(cache()?.stats.tokenBalance).toBe(10);
  expect(store.get().user?.username).toBe('alice');
});

test('new numbers, a sign-out and a sign-in of another tab are followed', async () => {
  const { store, fetchSession } = setUp();
  store.signedIn(sessionOf(ALICE));
  await store.follow(JSON.stringify(sessionOf(ALICE, 20)));
  expect(store.get()).toMatchObject({ status: 'signedIn', stats: { tokenBalance: 20 } });
  await store.follow(null);
  expect(store.get()).toEqual({ status: 'ended', ...sessionOf(ALICE, 20) });
  fetchSession.mockResolvedValue(sessionOf(BOB));
  await store.follow(JSON.stringify(sessionOf(BOB)));
  expect(store.get()).toMatchObject({ status: 'signedIn', user: { walletAddress: BOB } });
});

test('new numbers of another tab do not end the retries of an unconfirmed session [R4]', async () => {
  const { store, fetchSession } = setUp(sessionOf(ALICE, 10));
  fetchSession.mockRejectedValueOnce(apiErrorOf(0)).mockRejectedValue(apiErrorOf(401));
  await store.start();
  await store.follow(JSON.stringify(sessionOf(ALICE, 20)));
  expect(store.get().status).toBe('none');
});

const signedIn = (session = sessionOf(ALICE, 20)) => {
  const all = setUp();
  all.store.signedIn(session);
  return all;
};

test("a session that ended elsewhere keeps its user on the page and drops the browser's copy", () => {
  const { store, cache } = signedIn();
  store.lost(store.era());
  expect(store.get()).toEqual({ status: 'ended', ...sessionOf(ALICE, 20) });
  expect(cache()).toBeNull();
});

test('a session that ended elsewhere continues with a sign-in of the same wallet, here or in another tab', async () => {
  const { store, cache, fetchSession } = signedIn();
  store.lost(store.era());
  store.signedIn(sessionOf(ALICE, 30));
  expect(store.get()).toEqual({ status: 'signedIn', ...sessionOf(ALICE, 30) });
  expect(cache()).toEqual(sessionOf(ALICE, 30));
  store.lost(store.era());
  fetchSession.mockResolvedValue(sessionOf(ALICE, 40));
  await store.follow(JSON.stringify(sessionOf(ALICE, 40)));
  expect(store.get()).toMatchObject({ status: 'signedIn', stats: { tokenBalance: 40 } });
  expect(store.person()).toBe(0);
});

test.each<[string, (store: ReturnType<typeof setUp>['store']) => void]>([
  ['a new sign-in', (store) => store.signedIn(sessionOf(ALICE))],
  ['a sign-in of another wallet', (store) => store.signedIn(sessionOf(BOB))],
  ['a sign-out', (store) => void store.signOut()],
])('late responses of an ended session do not undo %s', (_what, next) => {
  const { store, cache } = signedIn();
  const era = store.era();
  store.lost(era);
  next(store);
  const [state, cached] = [store.get(), cache()];
  store.lost(era);
  expect(store.get()).toBe(state);
  expect(cache()).toEqual(cached);
});

test('another wallet takes over an ended session without a sign-out', () => {
  const { store, endSession } = signedIn();
  store.lost(store.era());
  expect(store.walletChanged(BOB)).toBe(true);
  expect(store.get().status).toBe('none');
  // The session is over on the server: a late sign-out would take away the cookie of the next one.
  expect(endSession).not.toHaveBeenCalled();
  store.signedIn(sessionOf(BOB));
  expect(store.person()).toBe(1);
  store.updateStats(1, sessionOf(ALICE, 99).stats);
  expect(store.get().stats?.tokenBalance).toBe(0);
});
