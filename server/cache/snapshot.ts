import type { Db } from '#db/client.ts';

export interface SnapshotOptions {
  /** All requests within this time get the same value. */
  freshMs: number;
  /** At most this share of the time is spent on reading, however long that takes and however many ask. */
  busyShare: number;
}

interface Snapshot<T> {
  value: Promise<T>;
  /** Until when others get it too; Infinity while it is being read. */
  freshUntilMs: number;
}

/** Reads something large for all who ask: at most `freshMs` old, or as old as `busyShare` makes it. A failure is not kept. */
export function createSnapshots<T>({ freshMs, busyShare }: SnapshotOptions) {
  const snapshots = new WeakMap<Db, Snapshot<T>>();
  return (db: Db, read: (db: Db) => Promise<T>, now = () => Date.now()): Promise<T> => {
    const present = snapshots.get(db);
    const startedAtMs = now();
    if (present && startedAtMs < present.freshUntilMs) return present.value;
    const snapshot: Snapshot<T> = { value: read(db), freshUntilMs: Infinity };
    snapshots.set(db, snapshot);
    snapshot.value.then(
      () => (snapshot.freshUntilMs = startedAtMs + Math.max(freshMs, (now() - startedAtMs) / busyShare)),
      () => snapshots.delete(db),
    );
    return snapshot.value;
  };
}
