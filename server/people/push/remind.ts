import { sql } from 'kysely';
import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { plural } from '#shared/plural.ts';
import { type PushMessage, queuePush } from '#server/books/push-queue.ts';
import { STREAK_REMINDER_FROM_HOUR_UTC } from '#shared/push-kinds.ts';
import type { Services } from '#server/kit/services.ts';

/** Users of one run. */
const MOST = 2_000;

/** Users who picked a kind, have a browser, and got no other daily message today. */
const asked = (kind: 'votes_back' | 'streak') => sql`
  push_settings p JOIN user_stats u ON u.user_id = p.user_id
  WHERE ${kind} = ANY (p.kinds) AND p.daily_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date
    AND EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = p.user_id)`;

/**
 * Reminds users of votes that are back, and of streaks that end at midnight UTC (R78). Only windows that ended today
 * count: the limit of one message a day then also allows one for each window.
 */
export async function remind(
  { db }: Pick<Services, 'db'>,
  streaksFromHour = STREAK_REMINDER_FROM_HOUR_UTC,
): Promise<number> {
  const back = sql`u.window_started_at + make_interval(hours => ${VOTE_WINDOW_HOURS})`;
  return db.transaction().execute(async (trx) => {
    const windows = await sql<{ userId: number }>`
      SELECT p.user_id AS "userId" FROM ${asked('votes_back')} AND u.window_votes >= ${VOTES_PER_WINDOW} AND ${back} <= now()
        AND ${back} >= date_trunc('day', now(), 'UTC') LIMIT ${MOST}`.execute(trx);
    const streaks = await sql<{ userId: number; streak: number }>`
      SELECT p.user_id AS "userId", u.streak FROM ${asked('streak')} AND u.streak > 0
        AND u.last_day = (now() AT TIME ZONE 'UTC')::date - 1
        AND extract(hour FROM now() AT TIME ZONE 'UTC') >= ${streaksFromHour}::int LIMIT ${MOST}`.execute(trx);
    const messages = [
      ...streaks.rows.map(({ userId, streak }): PushMessage => {
        const text = `Your streak of ${plural(streak, 'day')} ends at midnight UTC. One vote keeps it.`;
        return { userId, kind: 'streak', text, link: '/' };
      }),
      ...windows.rows.map(({ userId }): PushMessage => {
        const text = `You have ${VOTES_PER_WINDOW} votes again.`;
        return { userId, kind: 'votes_back', text, link: '/' };
      }),
    ];
    await queuePush(trx, ...messages);
    return messages.length;
  });
}
