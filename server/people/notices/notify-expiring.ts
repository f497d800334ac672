import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { eachRow, restingRows } from '#db/each-row.ts';
import { EXPIRY_NOTICE_DAYS } from '#shared/constants.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';

const LISTING = 'ending listing';
const BATCH = 500;

/** Notifies owners of expiring listings, some at a time, once per period (R51): a renewal moves the end by more than these days. */
export async function tellExpiring({ db }: Pick<Services, 'db'>): Promise<number> {
  const days = sql`make_interval(days => ${EXPIRY_NOTICE_DAYS})`;
  const { rows: due } = await sql<{ id: number }>`
    SELECT p.id FROM projects p LEFT JOIN expiry_notices e ON e.project_id = p.id
    WHERE p.listed AND p.expires_at > now() AND p.expires_at <= now() + ${days}
      AND (e.expires_at IS NULL OR p.expires_at > e.expires_at + ${days}) AND p.id <> ALL (${restingRows<number>(db, LISTING)}::bigint[])
    ORDER BY p.id LIMIT ${BATCH}`.execute(db);
  const tell = async (trx: Db, ids: readonly number[]): Promise<void> => {
    const { rows } = await sql<{ ownerId: number; slug: string; name: string }>`
      WITH told AS (
        INSERT INTO expiry_notices AS e (project_id, expires_at) SELECT id, expires_at FROM projects WHERE id = ANY (${ids}::bigint[])
        ON CONFLICT (project_id) DO UPDATE SET expires_at = excluded.expires_at WHERE excluded.expires_at > e.expires_at + ${days}
        RETURNING e.project_id
      )
      SELECT p.owner_id AS "ownerId", p.slug, p.name FROM told JOIN projects p ON p.id = told.project_id`.execute(trx);
    await recordNotices(
      trx,
      ...rows.map(({ ownerId, slug, name }) => ({
        userId: ownerId,
        kind: 'expiry' as const,
        text: `The listing of ${isolated(name)} ends within ${EXPIRY_NOTICE_DAYS} days. See its month, and renew it to keep its place in the deck.`,
        link: `/projects/${slug}/insights?renew`,
      })),
    );
  };
  const ids = due.map(({ id }) => id);
  return eachRow(db, { of: LISTING, idOf: (id) => id, slice: BATCH }, ids, (some) =>
    db.transaction().execute((trx) => tell(trx, some)),
  );
}
