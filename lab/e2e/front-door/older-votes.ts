import type { Database } from './door.ts';

interface Age {
  days: number;
  except?: number;
}

/** The clock moved for a wallet: its votes are older, and its streak and its window of votes by a day. */
export async function letDaysPass(database: Database, wallet: string, { days, except = 0 }: Age): Promise<void> {
  const client = await database.connect();
  const own = 'user_id = (SELECT id FROM users WHERE wallet_address = $1)';
  try {
    await client.query('BEGIN');
    // The totals have counted the votes at their old time: the next close counts all of them again. The figures of closed days stay, for other journeys.
    await client.query(
      `UPDATE totals_state SET counted_until = '-infinity', holders_until = '-infinity', moves = moves + 1`,
    );
    await client.query('DELETE FROM totals');
    await client.query(`SET LOCAL session_replication_role = 'replica'`);
    await client.query(
      `UPDATE votes SET created_at = created_at - make_interval(days => CASE WHEN project_id = $2 THEN 1 ELSE $3::int END) WHERE ${own}`,
      [wallet, except, days],
    );
    await client.query(`SET LOCAL session_replication_role = 'origin'`);
    await client.query(
      `UPDATE user_stats SET last_day = last_day - 1, window_started_at = window_started_at - interval '1 day',
         undoable_from = undoable_from - interval '1 day' WHERE ${own}`,
      [wallet],
    );
    await client.query(`DELETE FROM daily_decks WHERE ${own}`, [wallet]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
