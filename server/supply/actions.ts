import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { findSupply } from './queries.ts';

/** The ledger is read whole: everybody who asks within this time gets the same snapshot. */
const FRESH_MS = 5_000;

interface Snapshot {
  supply: Promise<Supply>;
  atMs: number;
}
const snapshots = new WeakMap<Db, Snapshot>();

/** The supply, at most a few seconds old; its `asOf` says when. */
export function currentSupply(db: Db, nowMs = Date.now()): Promise<Supply> {
  const present = snapshots.get(db);
  if (present && nowMs - present.atMs < FRESH_MS) return present.supply;
  const supply = findSupply(db);
  snapshots.set(db, { supply, atMs: nowMs });
  // A failure is not kept: the next caller asks again.
  supply.catch(() => snapshots.delete(db));
  return supply;
}
