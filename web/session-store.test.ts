import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '#shared/contract/auth.ts';
import { SESSION_CACHE_KEY } from '#shared/constants.ts';
import { ApiError } from './api-error.ts';
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

function failure(status: number): ApiError {
  const fields = { code: 'x', serverMessage: 'x', field: null, retryAfterS: null, body: null };
  return new ApiError({ status, ...fields });
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

describe('the session store', () => {
  it('[S4.2] [R4] shows the cached user at once, as unknown, and then what the server says', async () => {
    const { store, fetchSession, cache } = setUp(sessionOf(ALICE, 10));
    fetchSession.mockResolvedValue(sessionOf(ALICE, 30));
    const started = store.start();
    expect(store.get()).toEqual({ status: 'unknown', ...sessionOf(ALICE, 10) });
    await started;
    expect(fetchSession).toHaveBeenCalledExactlyOnceWith(ALICE);
    expect(store.get()).toEqual({ status: 'signedIn', ...sessionOf(ALICE, 30) });
    expect(cache()).toEqual(sessionOf(ALICE, 30));
  });

  it('[R4] forgets the cached user when the server answers 401', async () => {
    const { store, fetchSession, cache } = setUp(sessionOf(ALICE));
    fetchSession.mockRejectedValue(failure(401));
    await store.start();
    expect(store.get()).toEqual({ status: 'none', user: null, stats: null });
    expect(cache()).toBeNull();
  });

  it.each([0, 429, 500, 503])('keeps the cached user over a %i and asks again', async (status) => {
    const { store, fetchSession } = setUp(sessionOf(ALICE));
    fetchSession.mockRejectedValueOnce(failure(status)).mockResolvedValue(sessionOf(ALICE));
    await store.start();
    expect(store.get().status).toBe('unknown');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(store.get().status).toBe('signedIn');
  });

  it.each(['{', 'null', '{}', '{"user":{"id":"1"}}', '[]'])('[R4] ignores a broken cache: %s', async (text) => {
    const { store, fetchSession } = setUp(text);
    await store.start();
    expect(store.get().status).toBe('none');
    expect(fetchSession).not.toHaveBeenCalled();
  });

  it('does not let a late answer undo a sign-in', async () => {
    const { store, fetchSession } = setUp(sessionOf(ALICE));
    const answer = Promise.withResolvers<Session>();
    fetchSession.mockReturnValue(answer.promise);
    const started = store.start();
    store.signedIn(sessionOf(BOB));
    answer.reject(failure(401));
    await started;
    expect(store.get().user?.walletAddress).toBe(BOB);
  });

  it('[S4.2] ends the session when the connected wallet is another one', async () => {
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

  it('[R1] repeats a sign-out that did not reach the server, before anything else', async () => {
    const { store, open, endSession, fetchSession } = setUp();
    store.signedIn(sessionOf(ALICE));
    endSession.mockRejectedValueOnce(failure(0));
    await store.signOut();
    expect(store.get().status).toBe('none');
    await open().start();
    expect(endSession).toHaveBeenCalledTimes(2);
    await open().start();
    expect(endSession).toHaveBeenCalledTimes(2);
    expect(fetchSession).not.toHaveBeenCalled();
  });

  it('[S3.5] takes new numbers of the present user only', () => {
    const { store, cache } = setUp();
    store.updateStats(sessionOf(ALICE, 10).stats);
    expect(store.get().stats).toBeNull();
    store.signedIn(sessionOf(ALICE));
    store.updateStats(sessionOf(ALICE, 10).stats);
    store.updateUser({ ...sessionOf(BOB).user, username: 'bob' });
    store.updateUser({ ...sessionOf(ALICE).user, username: 'alice' });
    expect(cache()?.stats.tokenBalance).toBe(10);
    expect(store.get().user?.username).toBe('alice');
  });

  it('follows another tab: new numbers, a sign-out, a sign-in', async () => {
    const { store, fetchSession } = setUp();
    store.signedIn(sessionOf(ALICE));
    await store.follow(JSON.stringify(sessionOf(ALICE, 20)));
    expect(store.get()).toMatchObject({ status: 'signedIn', stats: { tokenBalance: 20 } });
    await store.follow(null);
    expect(store.get().status).toBe('none');
    fetchSession.mockResolvedValue(sessionOf(BOB));
    await store.follow(JSON.stringify(sessionOf(BOB)));
    expect(store.get()).toMatchObject({ status: 'signedIn', user: { walletAddress: BOB } });
  });
});
