import { sql } from 'kysely';
import { longTransaction } from '#db/long-transaction.ts';
import type { Services } from '#server/kit/services.ts';

/**
 * Refreshes the candidates for the top voters: removes overtaken users, and adds those who rose because the totals of
 * others were lowered. Reads the counters of all users.
 */
export async function refreshTopVoters({ db }: Pick<Services, 'db'>): Promise<void> {
  await longTransaction(db, (trx) => sql`SELECT refresh_top_voters()`.execute(trx));
}
