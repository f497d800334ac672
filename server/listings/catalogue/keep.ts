import { sql } from 'kysely';
import { updateEach } from '#server/listings/projects/delist.ts';
import { LISTING_DAYS } from '#shared/constants.ts';
import type { Services } from '#server/kit/services.ts';

/** Whether an entry is kept: unclaimed, or not renewed since; a first renewal begins the next listing period. */
const isKept = sql<boolean>`(cardinality(period_starts) = 1 OR NOT EXISTS (SELECT FROM ownerships o WHERE o.project_id = projects.id))`;

/** Extends visible listings of the catalogue once a day (R72). The listing period stays the same, so that each voter is rewarded once. */
export async function keepCatalogue({ db }: Pick<Services, 'db'>): Promise<number> {
  const due = sql<boolean>`is_catalogue AND hidden_at IS NULL AND ${isKept} AND expires_at < now() + make_interval(days => ${LISTING_DAYS - 1})`;
  const change = { expiresAt: sql<Date>`now() + make_interval(days => ${LISTING_DAYS})` };
  return updateEach(db, { of: 'listing of the catalogue', due, change });
}
