import { createStore } from './external-store.ts';
import { session } from './session.ts';

/** An action that was lost because the session had ended, in a sentence for the offer to sign in again; null for nothing. */
export const lostAction = createStore<string | null>(null);

session.subscribe(() => {
  if (session.get().status !== 'ended') lostAction.set(null);
});
