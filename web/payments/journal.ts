import { PRODUCT } from '#shared/constants.ts';
import { createStore } from '../lib/external-store.ts';
import { readStored, writeStored } from '../lib/storage.ts';

export type Purpose = 'submit' | 'update' | 'renew';

export type Proof = { bytes: string; signature: string } | { transactionHash: string };

/** An unfinished payment of this browser, kept from the signature on: a lost response invites no second payment. */
export interface OpenOrder {
  userId: number;
  paymentId: string;
  purpose: Purpose;
  projectId: number | null;
  name: string | null;
  amountMist: string;
  phase: 'unknown' | 'unsent' | 'looking' | 'received';
  /** Data that the server has to get; null once it has it, or while the wallet's result is unknown. */
  proof: Proof | null;
}

const KEY = `${PRODUCT}_open_payments`;
const PHASES = new Set<unknown>(['unknown', 'unsent', 'looking', 'received']);

/** A stored value as an entry, else null. An unknown phase counts as unsent, so that no payment is lost. */
const toEntry = (kept: OpenOrder | null): OpenOrder | null =>
  typeof kept?.paymentId === 'string' && typeof kept.userId === 'number'
    ? { ...kept, phase: PHASES.has(kept.phase) ? kept.phase : 'unsent' }
    : null;

function readAll(): OpenOrder[] {
  try {
    const list: unknown = JSON.parse(readStored(KEY) ?? '[]');
    if (!Array.isArray(list)) return [];
    return (list as Array<OpenOrder | null>).map(toEntry).filter((entry) => entry !== null);
  } catch {
    return [];
  }
}

const store = createStore<readonly OpenOrder[]>([]);

/** Another tab writes the same list, so each change starts from what is stored; without storage, from memory. */
function change(with_: (entries: readonly OpenOrder[]) => OpenOrder[]): void {
  const stored = readAll();
  const next = with_(stored.length > 0 ? stored : store.get());
  writeStored(KEY, next.length === 0 ? null : JSON.stringify(next));
  store.set(next);
}

export const journal = {
  get: store.get,
  subscribe: store.subscribe,
  of: (userId: number): OpenOrder[] => store.get().filter((entry) => entry.userId === userId),
  put(entry: OpenOrder): void {
    change((entries) => [...entries.filter(({ paymentId }) => paymentId !== entry.paymentId), entry]);
  },
  remove(paymentId: string): void {
    change((entries) => entries.filter((entry) => entry.paymentId !== paymentId));
  },
  reload(): void {
    store.set(readAll());
  },
};

if (typeof window !== 'undefined') {
  journal.reload();
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) journal.reload();
  });
}
