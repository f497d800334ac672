import type { Session } from '#shared/contract/auth.ts';
import type { User, UserStats } from '#shared/contract/types.ts';
import { SESSION_CACHE_KEY } from '#shared/constants.ts';
import { ApiError } from './api-error.ts';
import { createStore } from './external-store.ts';

/**
 * 'unknown': shown from the copy of the last visit, the server has not answered yet (R4). 'none': nobody is signed in.
 * 'signedIn': the server confirmed it.
 */
export type SessionState =
  | { status: 'unknown' | 'signedIn'; user: User; stats: UserStats }
  | { status: 'none'; user: null; stats: null };

export interface SessionDeps {
  read: (key: string) => string | null;
  /** Null removes the key. */
  write: (key: string, value: string | null) => void;
  /** The session of the cookie if it is this wallet's; else rejects with a 401 ApiError. */
  fetchSession: (walletAddress: string) => Promise<Session>;
  endSession: () => Promise<unknown>;
  warn: (message: string, error: unknown) => void;
}

const NONE: SessionState = { status: 'none', user: null, stats: null };
/** Set while a sign-out did not reach the server; the next start repeats it. */
const SIGN_OUT_KEY = `${SESSION_CACHE_KEY}_sign_out`;
const RETRY_MS = 5_000;

function readCache(text: string | null): Session | null {
  try {
    const cached = JSON.parse(text ?? 'null') as Partial<Session> | null;
    const whole = typeof cached?.user?.walletAddress === 'string' && typeof cached.stats?.tokenBalance === 'number';
    return whole && typeof cached.user?.id === 'number' ? (cached as Session) : null;
  } catch {
    return null;
  }
}

/** An answer that settles the question; a lost connection, a crash or a rate limit does not. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Who is signed in, for display; the server decides anew with every call (R4). */
export function createSessionStore(deps: SessionDeps) {
  const store = createStore<SessionState>(NONE);
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  function show(state: SessionState, persist = true): void {
    clearTimeout(retryTimer);
    const { user, stats } = state;
    if (persist) deps.write(SESSION_CACHE_KEY, user ? JSON.stringify({ user, stats }) : null);
    store.set(state);
  }

  async function verify(): Promise<void> {
    const asked = store.get();
    if (asked.status !== 'unknown') return;
    try {
      const session = await deps.fetchSession(asked.user.walletAddress);
      if (store.get() === asked) show({ status: 'signedIn', ...session });
    } catch (error) {
      if (store.get() !== asked) return;
      if (isRefusal(error)) return show(NONE);
      deps.warn('The session could not be checked; trying again', error);
      retryTimer = setTimeout(() => void verify(), RETRY_MS);
    }
  }

  async function endOnServer(): Promise<void> {
    deps.write(SIGN_OUT_KEY, 'pending');
    try {
      await deps.endSession();
      deps.write(SIGN_OUT_KEY, null);
    } catch (error) {
      deps.warn('Signing out did not reach the server; the next start repeats it', error);
    }
  }

  function load(cacheText: string | null): Promise<void> {
    const cached = readCache(cacheText);
    show(cached ? { status: 'unknown', ...cached } : NONE, false);
    return verify();
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Shows the cached session at once and asks the server whether it still holds (S4.2). */
    async start(): Promise<void> {
      if (deps.read(SIGN_OUT_KEY) !== null) await endOnServer();
      else await load(deps.read(SESSION_CACHE_KEY));
    },
    /** Another tab signed in or out; its cache has already been written. */
    async follow(cacheText: string | null): Promise<void> {
      const state = store.get();
      const other = readCache(cacheText);
      if (state.user?.id !== other?.user.id) await load(cacheText);
      else if (state.status !== 'none' && other) show({ status: state.status, ...other }, false);
    },
    signedIn(session: Session): void {
      deps.write(SIGN_OUT_KEY, null);
      show({ status: 'signedIn', ...session });
    },
    /** New numbers of the present user, as votes and reviews answer them. */
    updateStats(stats: UserStats): void {
      const state = store.get();
      if (state.user) show({ ...state, stats });
    },
    updateUser(user: User): void {
      const state = store.get();
      if (state.user !== null && state.user.id === user.id) show({ ...state, user });
    },
    /** True when the session was another wallet's and is therefore over (S4.2). Addresses in normal form. */
    walletChanged(address: string): boolean {
      const { user } = store.get();
      if (user === null || user.walletAddress === address) return false;
      show(NONE);
      void endOnServer();
      return true;
    },
    async signOut(): Promise<void> {
      show(NONE);
      await endOnServer();
    },
  };
}
