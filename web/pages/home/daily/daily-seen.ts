import { PRODUCT } from '#shared/constants.ts';
import { createStore } from '../../../lib/external-store.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

const KEY = `${PRODUCT}_daily_seen`;

/** The user and the day whose summary was closed last; empty on the server and until it is known. */
const seen = createStore(typeof window === 'undefined' ? '' : (readStored(KEY) ?? ''));

const nameOf = (userId: number, day: string) => `${userId}:${day}`;

export const dailySeen = {
  subscribe: seen.subscribe,
  has: (userId: number, day: string): boolean => seen.get() === nameOf(userId, day),
  note(userId: number, day: string): void {
    seen.set(nameOf(userId, day));
    writeStored(KEY, nameOf(userId, day));
  },
};
