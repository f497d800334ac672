import { sql } from 'kysely';
import type { Services } from '../services.ts';

/**
 * Chooses anew who may be among the top voters (migration 0007): lets out who was overtaken, and lets in who came up because somebody
 * else's votes were taken away. Reads the counters of all users.
 */
export async function chooseLeaders({ db }: Pick<Services, 'db'>): Promise<void> {
  await sql`SELECT choose_leaders()`.execute(db);
}
