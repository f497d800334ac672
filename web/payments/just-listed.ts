import { createStore } from '../lib/external-store.ts';

/** The project whose listing was paid for a moment ago, until the page has celebrated it. */
export const justListed = createStore<number | null>(null);
