import { type RawBuilder, sql } from 'kysely';
import { CALL_MIN_DAYS, isWithMajority } from '#shared/figures/calls.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { opinionsOf } from '#server/books/opinions.ts';

type Sql = RawBuilder<unknown>;

const DAY_MS = 86_400_000;

export interface CallFigures {
  before: VoteCounts;
  /** Null for a voter without a vote before today. */
  seen: VoteCounts | null;
  now: VoteCounts;
}

/** The last opinion before today: the voter has seen figures until then (R95). */
export const seenAt = (userId: number) =>
  sql`(SELECT max(o.said_at) FROM ${opinionsOf(userId)} o WHERE o.said_at < date_trunc('day', now(), 'UTC'))`;

/** The counts `votes` of the vote's project, without the opinion that its voter had at `at` where that is verified. */
const withoutOwn = (vote: Sql, at: Sql, votes: Sql): Sql => sql`(
  SELECT json_build_object('bullish', greatest(coalesce(max(k.bullish), 0) - count(*) FILTER (WHERE own.bullish), 0),
    'bearish', greatest(coalesce(max(k.bearish), 0) - count(*) FILTER (WHERE NOT own.bullish), 0))
  FROM (VALUES (1)) one LEFT JOIN LATERAL ${votes} k ON true
  LEFT JOIN LATERAL (SELECT o.bullish, o.unreplaced_state FROM opinion_states o
    WHERE o.user_id = ${vote}.user_id AND o.project_id = ${vote}.project_id AND o.said_at < ${at}
    ORDER BY o.period DESC, o.said_at DESC LIMIT 1) own ON own.unreplaced_state = 'verified')`;

/** Figures as of the last midnight before `at`. */
const figuresBefore = (vote: Sql, at: Sql): Sql =>
  withoutOwn(
    vote,
    sql`date_trunc('day', ${at}, 'UTC')`,
    sql`(SELECT d.verified_bullish AS bullish, d.verified_bearish AS bearish FROM project_days d
      WHERE d.project_id = ${vote}.project_id AND d.day < (${at} AT TIME ZONE 'UTC')::date ORDER BY d.day DESC LIMIT 1)`,
  );

/**
 * Verified votes on `projects`, that of the vote `s` of the user, without the voter's own: before the day on which its direction was said, when the voter was here
 * last, and on the last closed day (R90). Null for a vote that a newer one replaces, that may still be undone (R59), or that is about an earlier
 * identity, and on a hidden project.
 */
export const callFigures = (s: string, userId: number): RawBuilder<CallFigures | null> => {
  const vote = sql.ref(s);
  return sql`CASE WHEN ${vote}.replaced_at IS NULL AND projects.hidden_at IS NULL AND ${vote}.said_at < now() - interval '1 minute'
      AND NOT EXISTS (SELECT FROM open_identity_changes i WHERE i.project_id = ${vote}.project_id AND i.changed_at > ${vote}.turned_at)
    THEN json_build_object('before', ${figuresBefore(vote, sql`${vote}.turned_at`)},
      'seen', (SELECT ${figuresBefore(vote, sql`l.seen_at`)} FROM (SELECT ${seenAt(userId)} AS seen_at) l WHERE l.seen_at IS NOT NULL),
      'now', ${withoutOwn(
        vote,
        sql`coalesce((SELECT max(until) FROM closed_days), now())`,
        sql`(SELECT n.bullish, n.bearish FROM verified_stats n WHERE n.project_id = ${vote}.project_id)`,
      )}) END`;
};

/** `since`: when the direction was said. */
export const toCall = (figures: CallFigures, isBullish: boolean, since: Date): VoteHistoryItem['call'] => ({
  ...figures,
  isWithMajority: since.getTime() > Date.now() - CALL_MIN_DAYS * DAY_MS ? null : isWithMajority(isBullish, figures.now),
});
