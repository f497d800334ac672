import { ADMIN_TOKEN_KEY, SESSION_CACHE_KEY, SQL_HISTORY_KEY } from '#shared/constants.ts';
import type { signIn, signOut } from '#shared/contract/auth.ts';
import type { User } from '#shared/contract/types.ts';
import type { PageData } from '#shared/site/first-paint.ts';
import { useStore } from './external-store.ts';
import { callEndpoint, watchSession } from './http.ts';
import { readPageJson } from './page-json.ts';
import { createSessionStore, type SessionState } from './session-store.ts';
import { readStored, writeStored } from './storage.ts';

export type { SessionState } from './session-store.ts';

/** The one session of this page (S3.1): `session.get()`, `session.subscribe()`, `session.updateStats()` … */
export const session = createSessionStore({
  read: readStored,
  write: writeStored,
  fetchSession: (walletAddress) => callEndpoint<typeof signIn>('POST /api/auth/wallet', { body: { walletAddress } }),
  endSession: () => callEndpoint<typeof signOut>('POST /api/auth/logout'),
  warn: (message, error) => console.warn(message, error),
});

export function startSession(): void {
  watchSession(session);
  void session.start((readPageJson('page-data') as PageData | null)?.session);
  // Data of the admin goes with the wallet, also where the admin's page was never opened (S4.9).
  session.subscribe(() => {
    if (session.live().status === 'none') for (const key of [ADMIN_TOKEN_KEY, SQL_HISTORY_KEY]) writeStored(key, null);
  });
  addEventListener('storage', (event) => {
    if (event.storageArea === localStorage && event.key === SESSION_CACHE_KEY) void session.follow(event.newValue);
  });
}

export function useSession(): SessionState {
  return useStore(session);
}

export function useSessionUser(): User | null {
  return useStore({ get: () => session.get().user, subscribe: session.subscribe });
}

export function useSessionStatus(): SessionState['status'] {
  return useStore({ get: () => session.get().status, subscribe: session.subscribe });
}

export function useLiveUser(): User | null {
  return useStore({ get: () => session.live().user, subscribe: session.subscribe });
}

export function useLiveSession(): SessionState {
  return useStore({ get: session.live, subscribe: session.subscribe });
}
