import { useSyncExternalStore } from 'react';

export interface ExternalStore<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): ExternalStore<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** `drawn` returns what the server's HTML was drawn with, where that may differ from the present value. */
export function useStore<T>(store: Pick<ExternalStore<T>, 'get' | 'subscribe'>, drawn: () => T = store.get): T {
  return useSyncExternalStore(store.subscribe, store.get, drawn);
}

const never = () => () => undefined;

export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
