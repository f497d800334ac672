import { useCallback, useState } from 'react';
import { useIsLive } from './external-store.ts';

/** Whether rows that a page lacks are being read; set by queries.ts, which pages without data do not load. */
export const newRows = { areComing: (): boolean => false };

/** A few numbers kept with an entry of the browser's history: they return after Back, Forward and a reload. */
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
    console.warn('The history entry could not be updated', error);
  }
}

/** `name` must be unique on its page. */
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
