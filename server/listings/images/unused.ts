import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { keptSince } from '#db/delete-in-batches.ts';
import { RETENTION } from '#shared/retention.ts';

/**
 * An order can be paid for up to a day after its draft has ended, because a transaction is accepted for 24 hours. Its
 * picture and its row are kept longer than that.
 */
const DRAFT_PICTURE_TIME = keptSince(RETENTION.orderPictures.kept);

export const isUnused = sql<boolean>`NOT EXISTS (SELECT FROM projects p WHERE p.image_hash = i.hash)
  AND NOT EXISTS (SELECT FROM listing_versions v WHERE v.image_hash = i.hash)
  AND NOT EXISTS (SELECT FROM users u WHERE u.avatar_hash = i.hash)
  AND NOT EXISTS (
    SELECT FROM payments o WHERE o.draft->>'imageHash' = i.hash
      AND (o.state NOT IN ('expired', 'fulfilled', 'refunded', 'failed') OR o.updated_at > ${DRAFT_PICTURE_TIME}))`;

/**
 * Deletes a picture that was blanked, unless something else shows it. An order that was applied does not: its receipt
 * keeps no picture.
 */
export async function deletePictureAtOnce(trx: Db, hash: string): Promise<void> {
  await sql`DELETE FROM images i WHERE i.hash = ${hash}
    AND NOT EXISTS (SELECT FROM projects p WHERE p.image_hash = i.hash)
    AND NOT EXISTS (SELECT FROM listing_versions v WHERE v.image_hash = i.hash)
    AND NOT EXISTS (SELECT FROM users u WHERE u.avatar_hash = i.hash)
    AND NOT EXISTS (SELECT FROM payments o WHERE o.draft->>'imageHash' = i.hash AND o.state IN ('draft', 'signed', 'paid', 'unclaimed'))`.execute(
    trx,
  );
}

export async function deletePicture(trx: Db, hash: string): Promise<void> {
  await sql`DELETE FROM images i WHERE i.hash = ${hash} AND ${isUnused}`.execute(trx);
}
