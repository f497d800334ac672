import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/**
 * The total that was ever approved for an account in the open Book, and the marks of its withdrawals (R97). They change in
 * the transaction that decides, under the lock of the balance. A total outlives its account: a returned wallet would
 * otherwise be paid too little.
 */

const OPEN = sql`(SELECT id, decimals FROM books WHERE ended_at IS NULL FOR SHARE)`;
export const unitsOf = (table: string) =>
  sql`(${sql.ref(`${table}.token_amount`)} * 10::numeric ^ ${sql.ref('b.decimals')})::numeric(20,0)`;

/**
 * Gives an approved withdrawal its mark; does nothing without a Book. If the Book has already reached the mark, the
 * withdrawal was paid earlier, by a payout that these books lack.
 */
export async function addToTotal(trx: Db, id: number, paidUnits = 0n): Promise<void> {
  await sql`WITH b AS ${OPEN}, added AS (
      SELECT b.id AS book_id, w.user_id, ${unitsOf('w')} AS units FROM withdrawals w CROSS JOIN b WHERE w.id = ${id} AND w.mark IS NULL
    ), total AS (
      INSERT INTO book_totals AS t (book_id, user_id, units) SELECT book_id, user_id, units FROM added
      ON CONFLICT (book_id, user_id) DO UPDATE SET units = t.units + excluded.units RETURNING book_id, units
    ) UPDATE withdrawals SET book_id = total.book_id, mark = total.units,
      paid_earlier = total.units <= ${String(paidUnits)}::numeric FROM total WHERE id = ${id}`.execute(trx);
}

/** Takes a rejected withdrawal out of the total, and lowers later marks by the same amount. */
export async function takeFromTotal(trx: Db, id: number): Promise<void> {
  await sql`WITH gone AS (
      SELECT w.user_id, w.book_id, w.mark, ${unitsOf('w')} AS units FROM withdrawals w JOIN books b ON b.id = w.book_id WHERE w.id = ${id}
    ), lowered AS (
      UPDATE book_totals t SET units = t.units - gone.units FROM gone WHERE t.book_id = gone.book_id AND t.user_id = gone.user_id
    ), later AS (
      UPDATE withdrawals w SET mark = w.mark - gone.units FROM gone
      WHERE w.book_id = gone.book_id AND w.user_id = gone.user_id AND w.mark > gone.mark
    ) UPDATE withdrawals SET book_id = NULL, mark = NULL, paid_earlier = false FROM gone WHERE id = ${id}`.execute(trx);
}

export interface KeyedWallet {
  walletHash: Uint8Array;
  /** Tells which key made the hash. */
  keyCheck: Uint8Array;
}

/** Stores the totals of an account that is being deleted. */
export async function storeTotals(trx: Db, userId: number, { walletHash, keyCheck }: KeyedWallet): Promise<void> {
  await sql`WITH gone AS (DELETE FROM book_totals WHERE user_id = ${userId} RETURNING book_id, units)
    INSERT INTO former_totals AS f (book_id, wallet_hash, key_check, units)
    SELECT book_id, ${walletHash}::bytea, ${keyCheck}::bytea, units FROM gone
    ON CONFLICT (book_id, wallet_hash) DO UPDATE SET units = greatest(f.units, excluded.units)`.execute(trx);
}

/** Gives the totals of a deleted account to a new account of the same wallet. */
export async function returnTotals(trx: Db, userId: number, hashes: readonly Uint8Array[]): Promise<void> {
  await sql`INSERT INTO book_totals (book_id, user_id, units, carried)
    SELECT book_id, ${userId}, max(units), max(units) FROM former_totals WHERE wallet_hash = ANY (${hashes}::bytea[]) GROUP BY 1
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** Adds a former total to an account that began while the key of that total was unknown, and raises its marks by it. */
export async function carryTotal(
  trx: Db,
  { bookId, userId, units }: { bookId: number; userId: number; units: string },
): Promise<void> {
  await sql`WITH risen AS (
      UPDATE book_totals t SET units = t.units - t.carried + ${units}::numeric, carried = ${units}::numeric
      FROM (SELECT carried FROM book_totals WHERE book_id = ${bookId} AND user_id = ${userId}) before
      WHERE t.book_id = ${bookId} AND t.user_id = ${userId} AND t.carried < ${units}::numeric RETURNING ${units}::numeric - before.carried AS by
    ) UPDATE withdrawals SET mark = mark + risen.by, paid_earlier = false FROM risen
      WHERE book_id = ${bookId} AND user_id = ${userId} AND state = 'approved'`.execute(trx);
}

/** Totals of deleted accounts that no known key can find again: a returned wallet would be paid too little. */
export async function hasUnknownKey(db: Db, checks: readonly Uint8Array[]): Promise<boolean> {
  const { rows } = await sql`SELECT FROM former_totals WHERE key_check <> ALL (${checks}::bytea[]) LIMIT 1`.execute(db);
  return rows.length > 0;
}
