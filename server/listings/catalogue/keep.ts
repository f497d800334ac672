import { sql } from 'kysely';
import { LISTING_DAYS } from '#shared/constants.ts';
import type { Services } from '#server/kit/services.ts';

/** Extends visible listings of the catalogue once a day (R72). The listing period stays the same, so that each voter is rewarded once. */
export async function keepCatalogue({ db }: Pick<Services, 'db'>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ expiresAt: sql`now() + make_interval(days => ${LISTING_DAYS})` })
    .where('isCatalogue', '=', true)
    .where('hiddenAt', 'is', null)
    .where('expiresAt', '<', sql<Date>`now() + make_interval(days => ${LISTING_DAYS - 1})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
