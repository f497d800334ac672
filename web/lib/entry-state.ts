import { useCallback, useState } from 'react';
import { useIsLive } from './external-store.ts';

/**
 * State that the page keeps with an entry of the browser's history: it returns after Back, Forward and a reload, and goes with the entry.
 * Never more than a few numbers.
 */
type EntryState = Readonly<Record<string, number>>;

export function readEntry(): EntryState {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? (state as EntryState) : {};
}

export function writeEntry(name: string, value: number): void {
  const state = readEntry();
  if (state[name] === value) return;
  try {
    history.replaceState({ ...state, [name]: value }, '');
  } catch (error) {
    // Browsers allow so many changes in half a minute; a later one will say it.
    console.warn('The history entry could not be updated', error);
  }
}

/**
 * A number that belongs to the present entry of the history, for lists that grow: how many rows there were is known at once
 * when the user returns, so that the page has its former height. `name` must be unique on its page.
 */
export function useEntryNumber(name: string, initial: number): [number, (value: number) => void] {
  const [kept] = useState(() => (typeof history === 'undefined' ? undefined : readEntry()[name]));
  const [present, setPresent] = useState<number>();
  // After a reload the page begins as the server drew it.
  const isLive = useIsLive();
  const set = useCallback(
    (next: number) => {
      writeEntry(name, next);
      setPresent(next);
    },
    [name],
  );
  return [present ?? (isLive ? kept : undefined) ?? initial, set];
}
