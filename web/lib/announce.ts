import { createStore } from './external-store.ts';

export const announcement = createStore('');

export function announce(message: string): void {
  // The same words twice in a row would change nothing, hence cause no announcement.
  announcement.set(message === announcement.get() ? `${message}\u00a0` : message);
}
