import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Waits } from '#shared/contract/supply.ts';
import { createSnapshots } from '#server/kit/cache/snapshot.ts';
import { notReadable } from '#server/kit/http/errors.ts';

const DAYS = 30;

async function findWaits(db: Db): Promise<Waits> {
  const { rows } = await sql<Waits>`
    SELECT paid.*, waiting.* FROM (
      SELECT count(*)::int AS paid, percentile_cont(0.5) WITHIN GROUP (ORDER BY took) AS "medianSeconds", max(took) AS "longestSeconds"
      FROM (
        SELECT extract(epoch FROM updated_at - created_at)::float8 AS took FROM withdrawals
        WHERE state IN ('paid', 'rejected') AND state = 'paid' AND updated_at > now() - make_interval(days => ${DAYS})
      ) settled
    ) paid CROSS JOIN (
      SELECT count(*)::int AS open, extract(epoch FROM now() - min(created_at))::float8 AS "oldestOpenSeconds"
      FROM withdrawals WHERE state IN ('requested', 'approved')
    ) waiting`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the waits of withdrawals could not be read');
  return row;
}

export async function findWaitingSnaps(db: Db): Promise<number> {
  const { rows } = await sql<{ snaps: number }>`SELECT coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals
    WHERE state IN ('requested', 'approved')`.execute(db);
  return rows[0]?.snaps ?? 0;
}

/** Snaps that the site's own books have as paid through Books. */
export async function findPaidSnaps(db: Db): Promise<number> {
  const { rows } = await sql<{ snaps: number }>`SELECT coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals
    WHERE state = 'paid' AND NOT by_hand`.execute(db);
  return rows[0]?.snaps ?? 0;
}

const snapshotOf = createSnapshots<Waits>({ freshMs: 5_000, busyShare: 1 / 20, notNow: notReadable });

export const currentWaits = (db: Db): Promise<Waits> => snapshotOf(db, findWaits);
