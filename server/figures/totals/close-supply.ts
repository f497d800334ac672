import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { IS_BURN } from '#server/books/opinions.ts';

/** Stores all Snaps at the end of the day that is closed. Call once the totals have moved up to it. */
export async function closeSupply(trx: Db, day: string): Promise<void> {
  await sql`
    UPDATE closed_days SET (issued, granted, burned, held, paid, holders, entries) = (
      SELECT coalesce(sum(value) FILTER (WHERE kind IN ('vote_reward', 'vote_undone', 'grant')), 0),
        coalesce(sum(value) FILTER (WHERE kind = 'grant'), 0),
        coalesce(-sum(value) FILTER (WHERE ${IS_BURN}), 0),
        coalesce(-sum(value) FILTER (WHERE kind IN ('withdrawal_hold', 'hold_release')), 0),
        coalesce(-sum(value) FILTER (WHERE kind = 'payout'), 0),
        coalesce(sum(value) FILTER (WHERE name = 'holders'), 0),
        coalesce(sum(value) FILTER (WHERE name = 'entries'), 0)
      FROM totals WHERE name IN ('ledger', 'holders', 'entries')
    ) WHERE day = ${day}::date`.execute(trx);
}
