import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CALL_MIN_DAYS, CALLS_COUNTED, countCalls, crowdMove } from '#shared/figures/calls.ts';
import type { CallSummary, CrowdMove } from '#shared/contract/users.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { newestOpinion, statesOf, votesOf } from '#server/books/opinions.ts';

const DAY_MS = 86_400_000;

export interface CallFigures {
  before: VoteCounts;
  now: VoteCounts;
}

/**
 * Verified votes on the project of the vote `s`, at the last midnight before its direction was said and now (R90). Both leave the voter out: the
 * earlier figure ends before the vote, and an earlier vote of a voter whose vote is verified is taken off it. Null for a vote that a newer one
 * replaces, that may still be undone (R59), or that is about an earlier identity.
 */
export const callFigures = (s: string, p: string): RawBuilder<CallFigures | null> => {
  const vote = sql.ref(s);
  const own = (bullish: RawBuilder<unknown>) => sql`(coalesce(${bullish}, false) AND ${vote}.state = 'verified')::int`;
  const without = (votes: RawBuilder<unknown>, bullish: RawBuilder<unknown>) =>
    sql`greatest(coalesce(${votes}, 0) - ${own(bullish)}, 0)`;
  return sql`CASE WHEN ${vote}.replaced_at IS NULL AND ${sql.ref(p)}.hidden_at IS NULL AND ${vote}.said_at < now() - interval '1 minute'
      AND NOT EXISTS (SELECT FROM open_identity_changes i WHERE i.project_id = ${vote}.project_id AND i.changed_at > ${vote}.turned_at)
    THEN (SELECT json_build_object(
        'before', json_build_object('bullish', ${without(sql`d.verified_bullish`, sql`e.bullish`)}, 'bearish', ${without(sql`d.verified_bearish`, sql`NOT e.bullish`)}),
        'now', json_build_object('bullish', ${without(sql`n.bullish`, sql`${vote}.bullish`)}, 'bearish', ${without(sql`n.bearish`, sql`NOT ${vote}.bullish`)}))
      FROM (VALUES (1)) one
      LEFT JOIN LATERAL (SELECT * FROM project_days k WHERE k.project_id = ${vote}.project_id
        AND k.day < (${vote}.turned_at AT TIME ZONE 'UTC')::date ORDER BY k.day DESC LIMIT 1) d ON true
      LEFT JOIN LATERAL ${newestOpinion(sql`${vote}.user_id`, sql`${vote}.project_id`, sql`o.said_at < date_trunc('day', ${vote}.turned_at, 'UTC')`)} e ON true
      LEFT JOIN verified_stats n ON n.project_id = ${vote}.project_id) END`;
};

/** Null while the vote is too young to count. */
export const moveOf = ({ before, now }: CallFigures, isBullish: boolean, since: Date): CrowdMove | null =>
  since.getTime() > Date.now() - CALL_MIN_DAYS * DAY_MS ? null : crowdMove(isBullish, before, now);

export async function summarizeCalls(db: Db, userId: number): Promise<CallSummary> {
  const [calls, week] = await Promise.all([
    sql<{ bullish: boolean; since: Date; figures: CallFigures | null }>`
      SELECT s.bullish, s.turned_at AS since, ${callFigures('s', 'p')} AS figures
      FROM (SELECT * FROM ${statesOf(userId)} own WHERE own.replaced_at IS NULL AND own.turned_at < now() - ${CALL_MIN_DAYS} * interval '1 day'
        ORDER BY own.turned_at DESC LIMIT ${CALLS_COUNTED}) s JOIN projects p ON p.id = s.project_id`.execute(db),
    sql<
      CallSummary['week']
    >`SELECT count(*) FILTER (WHERE v.bullish)::int AS bullish, count(*) FILTER (WHERE NOT v.bullish)::int AS bearish
      FROM ${votesOf(userId)} v WHERE v.created_at > now() - interval '7 days'`.execute(db),
  ]);
  const moves = calls.rows.map(({ bullish, since, figures }) => figures && moveOf(figures, bullish, since));
  return { ...countCalls(moves), week: week.rows[0] ?? { bullish: 0, bearish: 0 } };
}
