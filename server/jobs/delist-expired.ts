import { sql } from 'kysely';
import type { Services } from '../services.ts';

/**
 * Takes projects that have expired out of the indexes of what is listed; returns how many. Whether it ran makes no visible difference:
 * queries on those indexes compare the time too. It only keeps them as short as the list of active projects.
 */
export async function delistExpired({ db }: Pick<Services, 'db'>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ listed: false })
    .where('listed', '=', true)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
