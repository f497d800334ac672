import { type Kysely, sql, type Transaction } from 'kysely';
import { ADVISORY_LOCK_NAMES } from './advisory-locks.ts';
import type { DB } from './schema.ts';

const tails = new WeakMap<Kysely<DB>, Map<number, Promise<unknown>>>();

const runLocked = <T>(db: Kysely<DB>, userId: number, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.user(userId)}, 0))`.execute(trx);
    return work(trx);
  });

/**
 * Runs `work` in a transaction under the user's lock, for actions that are counted before they are written (R66). Votes and undos lock the
 * user's row instead. Work of one user on this server waits in memory first, so that hundreds of requests at once take one connection.
 * Must not be nested.
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
