import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** The chain moved nothing: these do not count towards the daily cap. */
const MOVED_NOTHING = ['rejected', 'failed_on_chain', 'expired'];
/** A node did not accept them. A refused one can still be executed, and spends no coin of another payout. */
const NOT_ACCEPTED = ['rejected', 'refused'];

interface PaidToday {
  withdrawals: number;
  snaps: number;
}

export async function findPaidToday(db: Db, sender: string): Promise<PaidToday> {
  const { rows } = await sql<PaidToday>`
    SELECT count(*)::int AS withdrawals, coalesce(sum(i.token_amount), 0)::bigint AS snaps
    FROM payout_batches b JOIN payout_items i ON i.batch_id = b.id
    WHERE b.sender = ${sender} AND b.created_at > now() - interval '3 days'
      AND b.sent_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
      AND (b.failure_code = ANY (${MOVED_NOTHING})) IS NOT TRUE`.execute(db);
  return rows[0] ?? { withdrawals: 0, snaps: 0 };
}

interface Recent {
  prepared: string[];
  /** The next batch would spend the same coins. */
  isSending: boolean;
  /** Since the last payout that the chain accepted. */
  rejected: number;
  rejectedSecondsAgo: number | null;
}

export async function findRecent(db: Db, sender: string): Promise<Recent> {
  const { rows } = await sql<Recent>`
    SELECT coalesce(array_agg(id::text) FILTER (WHERE state = 'prepared'), '{}') AS prepared,
      coalesce(bool_or(state = 'sent' AND failure_code IS NULL), false) AS "isSending",
      count(*) FILTER (WHERE failure_code = ANY (${NOT_ACCEPTED}) AND updated_at > last.paid_at)::int AS rejected,
      extract(epoch FROM now() - max(updated_at) FILTER (WHERE failure_code = ANY (${NOT_ACCEPTED})))::float8 AS "rejectedSecondsAgo"
    FROM (
      SELECT id, state, failure_code, updated_at FROM payout_batches WHERE sender = ${sender} AND state IN ('prepared', 'sent')
      UNION SELECT id, state, failure_code, updated_at FROM payout_batches
        WHERE sender = ${sender} AND state = 'failed' AND created_at > now() - interval '1 day'
    ) recent, (
      SELECT coalesce(max(updated_at), '-infinity') AS paid_at FROM payout_batches
      WHERE sender = ${sender} AND state = 'paid' AND created_at > now() - interval '1 day'
    ) last`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the payouts of a wallet could not be read');
  return row;
}
