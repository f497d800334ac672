import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';

/** Keeps the indexes of listed projects short; returns the number of delisted ones. Queries compare the time as well. */
export async function delistExpired({ db }: Pick<Services, 'db'>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ listed: false })
    .where('listed', '=', true)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
