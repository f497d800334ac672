import { type Kysely, sql, type Transaction } from 'kysely';
import { ADVISORY_LOCK_NAMES } from './advisory-locks.ts';
import type { DB } from './schema.ts';

/** Each user's last waiting work, by pool. */
const tails = new WeakMap<Kysely<DB>, Map<number, Promise<unknown>>>();

const runLocked = <T>(db: Kysely<DB>, userId: number, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.user(userId)}, 0))`.execute(trx);
    return work(trx);
  });

/**
 * Runs `work` in a transaction under the user's lock: actions that a user may take at most n times are counted and
 * written here, one at a time on all servers (R66). Votes and undos lock the user's row instead, which they change in
 * any case.
 *
 * Work of one user on this server first waits in memory, so that a user who sends hundreds of requests at once takes
 * one connection. Must not be called within itself.
 */
export function withUserLock<T>(
  db: Kysely<DB>,
  userId: number,
  work: (trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  const users = tails.get(db) ?? new Map<number, Promise<unknown>>();
  tails.set(db, users);
  const turn = (users.get(userId) ?? Promise.resolve()).then(() => runLocked(db, userId, work));
  const end: Promise<void> = turn.then(
    () => undefined,
    () => undefined,
  );
  users.set(userId, end);
  void end.finally(() => {
    if (users.get(userId) === end) users.delete(userId);
  });
  return turn;
}
