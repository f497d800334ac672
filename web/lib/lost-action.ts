import { createStore } from './external-store.ts';
import { session } from './session.ts';

/** What did not happen because the session had ended, in a sentence for the offer to sign in again; null for nothing. */
export const lostAction = createStore<string | null>(null);

session.subscribe(() => {
  if (session.get().status !== 'ended') lostAction.set(null);
});
