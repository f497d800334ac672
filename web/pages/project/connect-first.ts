import type { ExternalStore } from '../../lib/external-store.ts';
import { session } from '../../lib/session.ts';
import { connectDialogClosed } from '../../lib/wallet-state.ts';
import { openConnectDialog } from '../../wallet-gate.ts';

/** Keeps what a visitor pressed in a store, which outlives the page's new start at a sign-in; forgets it if no sign-in follows. */
export async function connectFirst<T>(pressed: ExternalStore<T | null>): Promise<void> {
  openConnectDialog();
  await connectDialogClosed();
  if (!session.get().user) pressed.set(null);
}
