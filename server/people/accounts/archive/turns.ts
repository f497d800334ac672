import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { ARCHIVES_PER_DAY } from '#shared/constants.ts';
import { tooMany } from '#server/kit/http/errors.ts';

const MAX_MINUTES = 10;

/** Takes one of the day's archives, one at a time for each user on all servers. @throws 429 */
export async function takeTurn(db: Db, userId: number): Promise<void> {
  const taken = await sql`
    INSERT INTO archive_requests AS a (user_id, day, archives, busy_until)
    VALUES (${userId}, (now() AT TIME ZONE 'UTC')::date, 1, now() + make_interval(mins => ${MAX_MINUTES}))
    ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, busy_until = excluded.busy_until,
      archives = CASE WHEN a.day = excluded.day THEN a.archives + 1 ELSE 1 END
    WHERE a.busy_until <= now() AND (a.day <> excluded.day OR a.archives < ${ARCHIVES_PER_DAY})
    RETURNING user_id`.execute(db);
  if (taken.rows.length > 0) return;
  const { rows } = await sql<{ isBusy: boolean; waitS: number }>`
    SELECT busy_until > now() AS "isBusy", ceil(extract(epoch FROM
      CASE WHEN busy_until > now() THEN busy_until ELSE (day + 1)::timestamp AT TIME ZONE 'UTC' END - now()))::int AS "waitS"
    FROM archive_requests WHERE user_id = ${userId}`.execute(db);
  const { isBusy = true, waitS = 60 } = rows[0] ?? {};
  throw isBusy
    ? tooMany(
        'archive_busy',
        'Your data is being collected already. Wait until that download has ended.',
        Math.max(1, waitS),
      )
    : tooMany(
        'archive_limit',
        `You can download your data ${ARCHIVES_PER_DAY} times a day. Try again tomorrow.`,
        Math.max(1, waitS),
      );
}

export async function endTurn(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('archiveRequests')
    .set({ busyUntil: sql`now()` })
    .where('userId', '=', userId)
    .execute();
}
