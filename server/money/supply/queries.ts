import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { atCursor } from '#server/figures/totals/cursor.ts';
import { entriesIn, from, IS_BURN } from '#server/books/opinions.ts';

type SupplyRow = Omit<Supply, 'asOf' | 'liabilities' | 'checkedAt' | 'waits'> & { asOf: Date; checkedAt: Date | null };

/**
 * All tokens by place, in one statement and so one snapshot. Balances are those of the last recount, moved by the
 * same entries (trigger check_balance).
 */
export async function findSupply(db: Db): Promise<Omit<Supply, 'waits'>> {
  const row = await atCursor(db, async ({ countedUntil, holdersUntil }, isAtCursor) => {
    const { rows } = await sql<SupplyRow>`
      WITH kinds AS (
        SELECT kind, sum(value) AS amount, sum(entries) AS entries FROM (
          SELECT kind, value, 0 AS entries FROM totals WHERE name = 'ledger'
          UNION ALL SELECT '', 0, value FROM totals WHERE name = 'entries'
          UNION ALL SELECT kind, sum(amount), count(*) FROM ${entriesIn(from(countedUntil))} e GROUP BY 1
        ) k GROUP BY 1
      ), sums AS (
        SELECT
          coalesce(sum(amount) FILTER (WHERE kind IN ('vote_reward', 'vote_undone', 'grant')), 0)::bigint AS issued,
          coalesce(sum(amount) FILTER (WHERE kind = 'grant'), 0)::bigint AS granted,
          coalesce(-sum(amount) FILTER (WHERE ${IS_BURN}), 0)::bigint AS burned,
          coalesce(-sum(amount) FILTER (WHERE kind IN ('withdrawal_hold', 'hold_release')), 0)::bigint AS held,
          coalesce(-sum(amount) FILTER (WHERE kind = 'payout'), 0)::bigint AS paid,
          coalesce(sum(amount), 0)::bigint AS circulating,
          coalesce(sum(entries), 0)::bigint AS entries
        FROM kinds
      ), holders AS (
        SELECT (coalesce((SELECT value FROM totals WHERE name = 'holders'), 0) + coalesce(sum((s.balance > 0)::int - (s.balance - e.owed > 0)::int), 0))::bigint AS holders
            FROM (SELECT user_id, sum(owed) AS owed FROM ${entriesIn(from(holdersUntil))} o GROUP BY 1) e JOIN user_stats s ON s.user_id = e.user_id
      )
      SELECT sums.*, holders.holders, (sums.circulating + coalesce(t.checked_excess, 0))::bigint AS balances,
        coalesce(t.checked_differing, 0)::bigint AS differing, t.checked_at AS "checkedAt", now() AS "asOf",
        (SELECT json_build_object('size', p.size, 'issued', p.ledger + p.burned + p.paid, 'granted', p.granted, 'burned', p.burned, 'paid', p.paid)
          FROM liability_proof p) AS recorded
      FROM sums CROSS JOIN holders LEFT JOIN totals_state t ON true WHERE ${isAtCursor}`.execute(db);
    return rows[0];
  });
  const { asOf, checkedAt } = row;
  return {
    ...row,
    liabilities: row.circulating + row.held,
    checkedAt: checkedAt?.toISOString() ?? null,
    asOf: asOf.toISOString(),
  };
}
