import { sql } from 'kysely';
import { type Deletion, deleteInBatches, keptSince } from '#db/delete-in-batches.ts';
import { DATA } from '#db/tables.ts';
import { isUnused } from '#server/listings/images/unused.ts';
import { deleteOldNetworks } from '#server/figures/standing/apply-rhythm.ts';
import type { Services } from '#server/kit/services.ts';

/** A picture is stored a moment before the row that points at it. */
const PICTURE_GRACE = keptSince(DATA.unusedPictures.kept);
const UNPAID_ORDER_TIME = keptSince(DATA.unpaidOrders.kept);
const FAILED_CLAIM_TIME = keptSince(DATA.failedClaims.kept);

const unpaidOrders: Deletion = {
  table: 'payments',
  // Orders are created before they end, and found by that time.
  find: (limit) => sql`SELECT ctid FROM payments WHERE state = 'expired' AND digest IS NULL
    AND created_at < ${UNPAID_ORDER_TIME} AND expires_at < ${UNPAID_ORDER_TIME} LIMIT ${limit}`,
};

const failedClaims: Deletion = {
  table: 'payments',
  find: (
    limit,
  ) => sql`SELECT ctid FROM payments WHERE state = 'failed' AND transaction IS NULL AND received_mist IS NULL
    AND updated_at < ${FAILED_CLAIM_TIME} LIMIT ${limit}`,
};

const unusedPictures: Deletion = {
  table: 'images',
  find: (limit) =>
    sql`SELECT i.ctid FROM images i WHERE i.created_at < ${PICTURE_GRACE} AND ${isUnused} LIMIT ${limit}`,
};

interface Deleted {
  pictures: number;
  orders: number;
  claims: number;
  networks: number;
}

/** Deletes a bounded number at a time. Every other payment with a digest is kept permanently. */
export async function deleteUnused({ db }: Pick<Services, 'db'>): Promise<Deleted> {
  return {
    orders: await deleteInBatches(db, unpaidOrders),
    claims: await deleteInBatches(db, failedClaims),
    pictures: await deleteInBatches(db, unusedPictures),
    networks: await deleteOldNetworks({ db }),
  };
}
