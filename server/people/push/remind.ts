import { sql } from 'kysely';
import { eachRow, restingRows } from '#db/each-row.ts';
import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { queuePush } from '#server/books/push-queue.ts';
import type { Services } from '#server/kit/services.ts';

const USER = 'user with votes again';
const MOST = 2_000;

/**
 * Reminds users of votes that are back (R78); returns how many. Only windows that ended today count: the limit of one
 * message a day then also allows one for each window.
 */
export async function remind({ db }: Pick<Services, 'db'>): Promise<number> {
  const back = sql`u.window_started_at + make_interval(hours => ${VOTE_WINDOW_HOURS})`;
  const { rows } = await sql<{ userId: number }>`
      SELECT p.user_id AS "userId" FROM push_settings p JOIN user_stats u ON u.user_id = p.user_id
      WHERE 'votes_back' = ANY (p.kinds) AND p.daily_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date
        AND EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = p.user_id AND s.site_key IS NOT NULL)
        AND u.window_votes >= ${VOTES_PER_WINDOW} AND ${back} <= now() AND ${back} >= date_trunc('day', now(), 'UTC')
        AND p.user_id <> ALL (${restingRows<number>(db, USER)}::bigint[])
      LIMIT ${MOST}`.execute(db);
  const text = `You have ${VOTES_PER_WINDOW} votes again.`;
  return eachRow(db, { of: USER, idOf: ({ userId }) => userId, slice: MOST }, rows, (some) =>
    queuePush(db, ...some.map(({ userId }) => ({ userId, kind: 'votes_back' as const, text, link: '/' }))),
  );
}
