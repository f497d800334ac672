import type { Session } from '#shared/contract/auth.ts';
import type { User, UserStats } from '#shared/contract/types.ts';
import { SESSION_CACHE_KEY } from '#shared/constants.ts';
import { ApiError } from './api-error.ts';
import { createStore } from './external-store.ts';
import { parseJson } from './page-json.ts';

/**
 * 'unknown': shown from the copy of the last visit, the server has not confirmed it yet (R4). 'none': no user is signed in.
 * 'signedIn': the server confirmed it. 'ended': it was confirmed and has ended elsewhere; the page keeps its place for this user.
 */
export type SessionState =
  | { status: 'unknown' | 'signedIn' | 'ended'; user: User; stats: UserStats }
  | { status: 'none'; user: null; stats: null };

export interface SessionDeps {
  read: (key: string) => string | null;
  write: (key: string, value: string | null) => void;
  /** The session of the cookie if it is this wallet's; else rejects with a 401 ApiError. */
  fetchSession: (walletAddress: string) => Promise<Session>;
  endSession: () => Promise<unknown>;
  warn: (message: string, error: unknown) => void;
}

const NONE: SessionState = { status: 'none', user: null, stats: null };
const SIGN_OUT_KEY = `${SESSION_CACHE_KEY}_sign_out`;
const RETRY_MS = 5_000;

function readCache(text: string | null): Session | null {
  const cached = parseJson(text) as Partial<Session> | null;
  const whole = typeof cached?.user?.walletAddress === 'string' && typeof cached.stats?.tokenBalance === 'number';
  return whole && typeof cached.user?.id === 'number' ? (cached as Session) : null;
}

/** Whether the server says that there is no session; a lost connection, a crash or a rate limit leaves it open. */
const isNoSession = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** The signed-in user, for display; the server decides on every call (R4). */
export function createSessionStore(deps: SessionDeps) {
  const store = createStore<SessionState>(NONE);
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let era = 0;
  let person = 0;
  let lastUserId: number | undefined;

  function show(state: SessionState, persist = true): void {
    clearTimeout(retryTimer);
    const { status, user, stats } = state;
    const before = store.get();
    if (before.status !== status || before.user?.id !== user?.id) era += 1;
    if (user) {
      if (lastUserId !== undefined && lastUserId !== user.id) person += 1;
      lastUserId = user.id;
    }
    if (persist) deps.write(SESSION_CACHE_KEY, user && status !== 'ended' ? JSON.stringify({ user, stats }) : null);
    store.set(state);
  }

  function end(): void {
    const { status, user, stats } = store.get();
    if (status === 'signedIn') show({ status: 'ended', user, stats });
    else if (status === 'unknown') show(NONE);
  }

  const live = () => {
    const state = store.get();
    return state.status === 'signedIn' || state.status === 'unknown' ? state : null;
  };

  async function verify(): Promise<void> {
    const asked = store.get();
    if (asked.status !== 'unknown') return;
    try {
      const session = await deps.fetchSession(asked.user.walletAddress);
      if (store.get() === asked) show({ status: 'signedIn', ...session });
    } catch (error) {
      if (store.get() !== asked) return;
      if (isNoSession(error)) return show(NONE);
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
    /** Like `get`, but without a user where a session has ended and the page only keeps its place. */
    live: (): SessionState => live() ?? NONE,
    /**
     * Shows the session that came with the page, which the server has checked just now; else the cached one at once, and asks the
     * server whether it still holds (S4.2).
     */
    async start(fromPage?: Session): Promise<void> {
      if (deps.read(SIGN_OUT_KEY) !== null) await endOnServer();
      else if (fromPage) show({ status: 'signedIn', ...fromPage });
      else await load(deps.read(SESSION_CACHE_KEY));
    },
    drawAs(drawn: Session | undefined): void {
      store.set(drawn ? { status: 'signedIn', ...drawn } : NONE);
    },
    async follow(cacheText: string | null): Promise<void> {
      const state = live();
      const other = readCache(cacheText);
      if (!other) end();
      else if (state?.status !== 'signedIn' || state.user.id !== other.user.id) await load(cacheText);
      else show({ status: state.status, ...other }, false);
    },
    era: () => era,
    lost(sentIn: number): void {
      if (sentIn === era) end();
    },
    /** Changes when another user signs in than the one before: nothing of the one before may stay on the page. */
    person: () => person,
    signedIn(session: Session): void {
      deps.write(SIGN_OUT_KEY, null);
      era += 1;
      show({ status: 'signedIn', ...session });
    },
    updateStats(userId: number, stats: UserStats): void {
      const state = live();
      if (state?.user.id === userId) show({ ...state, stats });
    },
    updateUser(user: User): void {
      const state = live();
      if (state?.user.id === user.id) show({ ...state, user: { ...state.user, ...user } });
    },
    /** True when the session was another wallet's and is therefore over (S4.2). Addresses in normal form. */
    walletChanged(address: string): boolean {
      const { status, user } = store.get();
      if (user === null || user.walletAddress === address) return false;
      show(NONE);
      if (status !== 'ended') void endOnServer();
      return true;
    },
    async signOut(): Promise<void> {
      show(NONE);
      await endOnServer();
    },
  };
}
