import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';

/**
 * Removes expired projects from the indexes of listed ones; returns their number. A missed run has no visible effect,
 * because queries on those indexes compare the time too. It only keeps them as short as the list of active projects.
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
