import { ADMIN_TOKEN_KEY, SESSION_CACHE_KEY } from '#shared/constants.ts';
import { api } from './api.ts';
import { useStore } from './external-store.ts';
import { createSessionStore, type SessionState } from './session-store.ts';
import { readStored, writeStored } from './storage.ts';

export type { SessionState } from './session-store.ts';

/** The one session of this page (S3.1): `session.get()`, `session.subscribe()`, `session.updateStats()` … */
export const session = createSessionStore({
  read: readStored,
  write: writeStored,
  fetchSession: (walletAddress) => api.signIn({ body: { walletAddress } }),
  endSession: () => api.signOut(),
  warn: (message, error) => console.warn(message, error),
});

/** Call once, before the first render: the cached user is then on the first picture. */
export function startSession(): void {
  void session.start();
  // The admin's token goes with the wallet, also where the admin's page was never opened (S4.9).
  session.subscribe(() => {
    if (session.get().status === 'none') writeStored(ADMIN_TOKEN_KEY, null);
  });
  addEventListener('storage', (event) => {
    if (event.storageArea === localStorage && event.key === SESSION_CACHE_KEY) void session.follow(event.newValue);
  });
}

export function useSession(): SessionState {
  return useStore(session);
}
