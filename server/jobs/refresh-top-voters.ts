import { sql } from 'kysely';
import type { Services } from '../services.ts';

/**
 * Refreshes the candidates for the top voters: removes overtaken users, and adds those who rose because the totals of
 * others were lowered. Reads the counters of all users.
 */
export async function refreshTopVoters({ db }: Pick<Services, 'db'>): Promise<void> {
  await sql`SELECT refresh_top_voters()`.execute(db);
}
