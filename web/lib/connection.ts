import { SHELL_META } from '#shared/site/offline.ts';

import { createStore } from './external-store.ts';
import { isAway } from './is-away.ts';
import { queryClient } from './queries.ts';

const isShell = (): boolean => document.querySelector(`meta[name="${SHELL_META}"]`) !== null;

const isBrowser = typeof window !== 'undefined';

/** True while the server cannot be reached, for any reason (R99). */
export const serverAway = createStore(isBrowser && isShell());

/** A response of the server is the best proof: some devices call themselves offline and are not. */
const noteReached = (): void => serverAway.set(false);

/** A read without a response. One alone says nothing where the device has a network. */
function noteFailure(error: unknown): void {
  if (isAway(error) && !navigator.onLine) serverAway.set(true);
}

function readAgain(): void {
  if (serverAway.get()) return;
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

if (isBrowser) {
  addEventListener('offline', () => serverAway.set(true));
  addEventListener('online', noteReached);
  serverAway.subscribe(readAgain);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    if (event.action.type === 'success' && event.action.manual !== true) noteReached();
    if (event.action.type === 'error') noteFailure(event.action.error);
  });
}
