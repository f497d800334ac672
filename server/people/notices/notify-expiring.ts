import { sql } from 'kysely';
import { EXPIRY_NOTICE_DAYS } from '#shared/constants.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';

const BATCH = 500;

/** Once for each listing period (R51): a renewal moves the end by more than these days. A bounded number at a time. */
export async function tellExpiring({ db }: Pick<Services, 'db'>): Promise<number> {
  const days = sql`make_interval(days => ${EXPIRY_NOTICE_DAYS})`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ownerId: number; name: string }>`
      WITH due AS (
        SELECT p.id, p.expires_at FROM projects p LEFT JOIN expiry_notices e ON e.project_id = p.id
        WHERE p.listed AND p.expires_at > now() AND p.expires_at <= now() + ${days}
          AND (e.expires_at IS NULL OR p.expires_at > e.expires_at + ${days})
        ORDER BY p.id LIMIT ${BATCH}
      ), told AS (
        INSERT INTO expiry_notices AS e (project_id, expires_at) SELECT id, expires_at FROM due
        ON CONFLICT (project_id) DO UPDATE SET expires_at = excluded.expires_at WHERE excluded.expires_at > e.expires_at + ${days}
        RETURNING e.project_id
      )
      SELECT p.owner_id AS "ownerId", p.name FROM told JOIN projects p ON p.id = told.project_id`.execute(trx);
    await recordNotices(
      trx,
      ...rows.map(({ ownerId, name }) => ({
        userId: ownerId,
        kind: 'expiry' as const,
        text: `The listing of ${name} ends within ${EXPIRY_NOTICE_DAYS} days. Renew it to keep its place in the deck.`,
        link: '/portfolio',
      })),
    );
    return rows.length;
  });
}
