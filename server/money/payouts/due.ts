import { type RawBuilder, sql } from 'kysely';
import type { Due } from '#chain/book.ts';
import type { Db } from '#db/client.ts';
import { unitsOf } from '#server/books/totals.ts';

/** One call of the Book: it pays all approved withdrawals of a wallet up to the highest chosen mark. */
export interface WalletDue extends Due {
  userId: number;
  withdrawalIds: number[];
  snaps: number;
}

/** Calls that pay the chosen withdrawals, in the order in which they wait. `chosen`: a condition on withdrawals w. */
export async function findDue(db: Db, bookId: number, chosen: RawBuilder<boolean>): Promise<WalletDue[]> {
  const { rows } = await sql<Record<'total' | 'atMost', string> & Omit<WalletDue, 'total' | 'atMost'>>`
    SELECT w.user_id AS "userId", w.wallet_address AS account, max(w.mark) AS total, sum(${unitsOf('w')}) AS "atMost",
      json_agg(w.id ORDER BY w.id) AS "withdrawalIds", sum(w.token_amount)::bigint AS snaps
    FROM withdrawals w JOIN books b ON b.id = w.book_id JOIN (
      SELECT w.user_id, max(w.mark) AS mark FROM withdrawals w WHERE w.state = 'approved' AND w.book_id = ${bookId} AND ${chosen} GROUP BY 1
    ) c ON c.user_id = w.user_id AND w.mark <= c.mark
    WHERE w.state = 'approved' AND w.book_id = ${bookId} GROUP BY 1, 2 ORDER BY min(w.id)`.execute(db);
  return rows.map((row) => ({ ...row, total: BigInt(row.total), atMost: BigInt(row.atMost) }));
}
