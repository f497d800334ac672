import { sql } from 'kysely';
import { openDatabase } from '#db/client.ts';
import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';

/** Contradictions in the database, in words: none when no vote or token was lost or invented. */
export async function findDifferencesAt(databaseUrl: string): Promise<string[]> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1, statementTimeoutMs: 600_000 });
  try {
    const differences = await findDifferences(db);
    const { rows } = await sql<{ difference: string }>`
      SELECT format('user %s: %s votes in a window', user_id, window_votes) AS difference
      FROM user_stats WHERE window_votes > ${VOTES_PER_WINDOW} LIMIT 20`.execute(db);
    return [...differences, ...rows.map((row) => row.difference)];
  } finally {
    await close();
  }
}
