import { createStore } from './external-store.ts';

export const announcement = createStore('');

/** Announces a text to screen readers (a vote's outcome, a page change); the newest text replaces the last. */
export function announce(message: string): void {
  // The same words twice in a row would change nothing, hence cause no announcement.
  announcement.set(message === announcement.get() ? `${message}\u00a0` : message);
}
