import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { findSupply } from './queries.ts';

/** All requests within this time get the same snapshot. */
const FRESH_MS = 5_000;
/** The ledger is read whole: at most this share of the time is spent on it, however large it grows and however many ask. */
const BUSY_SHARE = 1 / 20;

interface Snapshot {
  supply: Promise<Supply>;
  /** Until when others get it too; Infinity while it is being read. */
  freshUntilMs: number;
}
const snapshots = new WeakMap<Db, Snapshot>();

/** The supply, at most a few seconds old, or twenty times as old as reading it takes; its `asOf` says when. */
export function currentSupply(db: Db, now: () => number = Date.now, read = findSupply): Promise<Supply> {
  const present = snapshots.get(db);
  const startedAtMs = now();
  if (present && startedAtMs < present.freshUntilMs) return present.supply;
  const snapshot: Snapshot = { supply: read(db), freshUntilMs: Infinity };
  snapshots.set(db, snapshot);
  snapshot.supply.then(
    () => (snapshot.freshUntilMs = startedAtMs + Math.max(FRESH_MS, (now() - startedAtMs) / BUSY_SHARE)),
    // A failure is not kept: the next caller asks again.
    () => snapshots.delete(db),
  );
  return snapshot.supply;
}
