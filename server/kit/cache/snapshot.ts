import type { Db } from '#db/client.ts';

export interface SnapshotOptions {
  freshMs: number;
  /** At most this share of the time is spent on reading, however long that takes and however many ask. */
  busyShare: number;
  notNow: (waitS: number) => Error;
}

interface Snapshot<T> {
  value: Promise<T>;
  freshUntilMs: number;
  /** The read failed: requests until then get a Retry-After. */
  hasFailed: boolean;
}

/**
 * Reads something large for all who ask: at most `freshMs` old, or as old as `busyShare` makes it. A failure is kept as long as a value whose
 * read took that time: one client that polls would otherwise keep the database busy with a read that never succeeds.
 */
export function createSnapshots<T>({ freshMs, busyShare, notNow }: SnapshotOptions) {
  const snapshots = new WeakMap<Db, Snapshot<T>>();
  return (db: Db, read: (db: Db) => Promise<T>, now = () => performance.now()): Promise<T> => {
    const present = snapshots.get(db);
    const startedAtMs = now();
    if (present && startedAtMs < present.freshUntilMs) {
      if (!present.hasFailed) return present.value;
      return Promise.reject(notNow(Math.max(1, Math.ceil((present.freshUntilMs - startedAtMs) / 1000))));
    }
    const snapshot: Snapshot<T> = { value: read(db), freshUntilMs: Infinity, hasFailed: false };
    snapshots.set(db, snapshot);
    const restMs = () => (now() - startedAtMs) / busyShare;
    snapshot.value.then(
      () => (snapshot.freshUntilMs = startedAtMs + Math.max(freshMs, restMs())),
      () => Object.assign(snapshot, { freshUntilMs: startedAtMs + restMs(), hasFailed: true }),
    );
    return snapshot.value;
  };
}
