import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';

/**
 * All tokens by place, from the ledger, and the balances that people see and spend; one statement, and so one snapshot.
 * Reads all votes, ledger entries and balances.
 */
export async function findSupply(db: Db): Promise<Omit<Supply, 'waits'>> {
  const { rows } = await sql<Omit<Supply, 'asOf' | 'liabilities' | 'waits'> & { asOf: Date }>`
    WITH per_user AS (
      SELECT
        user_id,
        sum(amount) FILTER (WHERE kind IN ('vote_reward', 'vote_undone', 'grant')) AS issued,
        sum(amount) FILTER (WHERE kind = 'grant') AS granted,
        sum(amount) FILTER (WHERE kind IN ('review_burn', 'account_burn')) AS burned,
        sum(amount) FILTER (WHERE kind IN ('withdrawal_hold', 'hold_release')) AS held,
        sum(amount) FILTER (WHERE kind = 'payout') AS paid,
        sum(amount) AS balance,
        count(*) AS entries
      FROM ledger_entries GROUP BY user_id
    ), compared AS (
      SELECT p.*, coalesce(s.balance, 0) AS shown, coalesce(s.balance, 0) <> coalesce(p.balance, 0) AS differs
      FROM per_user p FULL JOIN (SELECT user_id, balance FROM user_stats WHERE balance <> 0) s USING (user_id)
    )
    SELECT
      coalesce(sum(issued), 0)::bigint AS issued,
      coalesce(sum(granted), 0)::bigint AS granted,
      coalesce(-sum(burned), 0)::bigint AS burned,
      coalesce(-sum(held), 0)::bigint AS held,
      coalesce(-sum(paid), 0)::bigint AS paid,
      coalesce(sum(balance), 0)::bigint AS circulating,
      count(*) FILTER (WHERE balance > 0) AS holders,
      coalesce(sum(entries), 0)::bigint AS entries,
      coalesce(sum(shown), 0)::bigint AS balances,
      count(*) FILTER (WHERE differs) AS differing,
      now() AS "asOf"
    FROM compared
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the ledger could not be added up');
  return { ...row, liabilities: row.circulating + row.held, asOf: row.asOf.toISOString() };
}
