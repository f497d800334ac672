import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { keptSince } from '#db/delete-in-batches.ts';
import { DATA } from '#db/tables.ts';

/** A transaction is accepted for 24 hours, so an order can be paid a day after its draft ended. */
const DRAFT_PICTURE_TIME = keptSince(DATA.orderPictures.kept);

export const isUnused = sql<boolean>`
  NOT EXISTS (SELECT FROM projects p WHERE p.image_hash = i.hash)
  AND NOT EXISTS (SELECT FROM listing_versions v WHERE v.image_hash = i.hash)
  AND NOT EXISTS (SELECT FROM users u WHERE u.avatar_hash = i.hash)
  AND NOT EXISTS (SELECT FROM payments o WHERE o.draft->>'imageHash' = i.hash
    AND (o.state NOT IN ('expired', 'fulfilled', 'refunded', 'failed') OR o.updated_at > ${DRAFT_PICTURE_TIME}))`;

export async function deletePicture(trx: Db, hash: string): Promise<void> {
  await sql`DELETE FROM images i WHERE i.hash = ${hash} AND ${isUnused}`.execute(trx);
}
