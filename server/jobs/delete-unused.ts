import { sql } from 'kysely';
import { keptSince } from '#db/delete-in-batches.ts';
import { RETENTION } from '#shared/retention.ts';
import { isUnused } from '../images/unused.ts';
import { deleteOldNetworks } from '../standing/apply-rhythm.ts';
import type { Services } from '../services.ts';

/** A picture is stored a moment before the row that points at it. */
const PICTURE_GRACE = keptSince(RETENTION.unusedPictures.kept);
const UNPAID_ORDER_TIME = keptSince(RETENTION.unpaidOrders.kept);
const BATCH = 500;

/**
 * Deletes what nothing refers to: pictures of orders that were never paid for, replaced avatars and pictures; then orders that were
 * never signed; then networks of voters after 35 days. Payments with a digest are kept permanently. A bounded number at a time; resolves to how many rows went.
 */
export async function deleteUnused({
  db,
}: Pick<Services, 'db'>): Promise<{ pictures: number; orders: number; networks: number }> {
  const orders = await db
    .deleteFrom('payments')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('state', '=', 'expired')
        .where('digest', 'is', null)
        .where('expiresAt', '<', sql<Date>`${UNPAID_ORDER_TIME}`)
        .limit(BATCH),
    )
    .executeTakeFirst();
  const { numAffectedRows } = await sql`
    WITH unused AS (
      SELECT DISTINCT i.hash FROM images i
      WHERE i.created_at < ${PICTURE_GRACE}
        AND ${isUnused}
      LIMIT ${BATCH}
    )
    DELETE FROM images WHERE hash IN (SELECT hash FROM unused) AND created_at < ${PICTURE_GRACE}`.execute(db);
  const networks = await deleteOldNetworks({ db });
  return { pictures: Number(numAffectedRows ?? 0), orders: Number(orders.numDeletedRows), networks };
}
