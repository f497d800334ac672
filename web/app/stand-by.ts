import { PRODUCT } from '#shared/constants.ts';
import { toasts } from './app.tsx';
import { startDrafts } from '../lib/drafts.ts';
import { session } from '../lib/session.ts';

/** Data that an earlier user of this browser may have left, see web/offline/; a visitor's votes have the user 0. */
const LEFT_OVER = new RegExp(`^${PRODUCT}_(?:vote:(?!0:)|deck:)`);

function hasLeftOvers(): boolean {
  try {
    return Object.keys(localStorage).some((key) => LEFT_OVER.test(key));
  } catch {
    return false;
  }
}

let hasStarted = false;

function startForUsers(): void {
  if (hasStarted || (session.get().user === null && !hasLeftOvers())) return;
  hasStarted = true;
  // A failed load is tried again with the next toast.
  toasts.load().catch(() => undefined);
  import('../offline/start.ts').then(
    ({ startOffline }) => startOffline(),
    () => {
      hasStarted = false;
    },
  );
}

export function startLater(): void {
  startDrafts();
  startForUsers();
  session.subscribe(startForUsers);
}
