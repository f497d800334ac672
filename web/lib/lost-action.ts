import { createStore } from './external-store.ts';
import { session } from './session.ts';

export const lostAction = createStore<string | null>(null);

session.subscribe(() => {
  if (session.get().status !== 'ended') lostAction.set(null);
});
