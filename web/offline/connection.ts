import { SHELL_META } from '#shared/offline.ts';

import { createStore } from '../lib/external-store.ts';
import { isAway } from '../lib/is-away.ts';
import { queryClient } from '../lib/queries.ts';

/** 'unreachable': the device has a network, and the server does not respond. */
export type Connection = 'online' | 'offline' | 'unreachable';

const isShell = (): boolean => document.querySelector(`meta[name="${SHELL_META}"]`) !== null;

const isBrowser = typeof window !== 'undefined';

function begin(): Connection {
  if (!isBrowser || !isShell()) return 'online';
  return navigator.onLine ? 'unreachable' : 'offline';
}

export const connection = createStore<Connection>(begin());

/** A response of the server is the best proof: some devices call themselves offline and are not. */
export const noteReached = (): void => connection.set('online');

/** A call without a response. One alone says nothing where the device has a network. */
export function noteFailure(error: unknown): void {
  if (isAway(error) && !navigator.onLine) connection.set('offline');
}

function readAgain(): void {
  if (connection.get() !== 'online') return;
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

if (isBrowser) {
  addEventListener('offline', () => connection.set('offline'));
  addEventListener('online', noteReached);
  connection.subscribe(readAgain);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    if (event.action.type === 'success' && event.action.manual !== true) noteReached();
    if (event.action.type === 'error') noteFailure(event.action.error);
  });
}
