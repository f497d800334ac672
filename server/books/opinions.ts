import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { LedgerKind, VoteChanges, Votes } from '#db/schema.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { BURNED_BY } from '#shared/people/ledger-kinds.ts';

/*
 * Scopes of votes: subqueries for FROM, by which the server reads votes that it does not cast, change or undo. A vote has one opinion, and one more
 * for each change or confirmation; the newest opinion of a user on a project counts. Opinions and states are views (db/migrations).
 *
 * Scopes of a user read by the key of votes, scopes of a time by its indexes.
 */

type Sql = RawBuilder<unknown>;
type Id = number | Sql;
export type When = (at: Sql) => Sql;

/** From `since` to before `until`. Times as PostgreSQL writes them, to the microsecond. */
export interface Span {
  since: string;
  until: string;
}

export const within =
  ({ since, until }: Span): When =>
  (at) =>
    sql`${at} >= ${since}::timestamptz AND ${at} < ${until}::timestamptz`;

export const from =
  (since: string | null): When =>
  (at) =>
    sql`${at} >= ${since}::timestamptz`;

export const ofDay =
  (day: string): When =>
  (at) =>
    sql`${at} >= ${day}::date AT TIME ZONE 'UTC' AND ${at} < (${day}::date + 1) AT TIME ZONE 'UTC'`;

export const firstVoteAt = sql<Date | null>`(SELECT min(created_at) FROM votes)`;

export const votesOf = (userId: Id) => sql<Selectable<Votes>>`(SELECT * FROM votes WHERE user_id = ${userId})`;

export const votesOn = (projectId: Id, when: When) =>
  sql<Selectable<Votes>>`(SELECT * FROM votes WHERE project_id = ${projectId} AND ${when(sql`created_at`)})`;

export const changesOf = (userId: Id) =>
  sql<Selectable<VoteChanges>>`(SELECT * FROM vote_changes WHERE user_id = ${userId})`;

export const opinionsGiven = (when: When): Sql => sql`(SELECT * FROM opinions WHERE ${when(sql`said_at`)})`;

export const opinionsOf = (userId: Id): Sql => sql`(SELECT * FROM opinions WHERE user_id = ${userId})`;

export const newestOpinions = (userId: Id): Sql => sql`(
  SELECT DISTINCT ON (project_id) * FROM opinions WHERE user_id = ${userId} ORDER BY project_id, period DESC, said_at DESC)`;

/** `condition` is one of the vote `o`. Two look-ups by key; the view would be sorted. */
export const newestOpinion = (userId: Id, projectId: Id, condition: Sql = sql`true`): Sql => sql`(
  SELECT o.user_id, o.project_id, o.period, o.created_at, coalesce(c.said_at, o.created_at) AS said_at,
    coalesce(c.turned_at, o.created_at) AS turned_at, coalesce(c.bullish, o.bullish) AS bullish
  FROM (
    SELECT * FROM votes o WHERE o.user_id = ${userId} AND o.project_id = ${projectId} AND ${condition} ORDER BY o.period DESC LIMIT 1
  ) o LEFT JOIN LATERAL (
    SELECT * FROM vote_changes c WHERE c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period
    ORDER BY c.said_on DESC LIMIT 1
  ) c ON true)`;

/** End of the undo of the opinion `v` of the user `u`; null once it is over (R59). */
export const undoableUntil = (undoWindowMs: number): RawBuilder<Date | null> => {
  const end = sql`v.said_at + ${undoWindowMs} * interval '1 millisecond'`;
  return sql`CASE WHEN ${end} <= now() OR v.said_at < u.undoable_from THEN NULL ELSE ${end} END`;
};

export const verifiedVotes = sql`(SELECT * FROM vote_states WHERE state = 'verified')`;

export const statesOf = (userId: Id): Sql => sql`(SELECT * FROM vote_states WHERE user_id = ${userId})`;

/** True for a vote on a listing that the voter claimed later (R72): its exclusion says nothing about the wallet. */
export const isOnOwnListing = (vote: Sql): RawBuilder<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM projects p WHERE p.id = ${vote}.project_id AND p.owner_id = ${vote}.user_id)`;

/** The user's votes that no newer one replaces, without those on own listings. */
export const standingVotes = (userId: Id): Sql => sql`(
  SELECT * FROM ${statesOf(userId)} s WHERE s.replaced_at IS NULL AND NOT ${isOnOwnListing(sql`s`)})`;

/** Keys of the votes that votes of a later period replace. */
export const replacedBy = (when: When): Sql => sql`(
  SELECT v.user_id, v.project_id, (SELECT max(e.period) FROM votes e
    WHERE e.user_id = v.user_id AND e.project_id = v.project_id AND e.period < v.period) AS period
  FROM votes v WHERE v.period > 1 AND ${when(sql`v.created_at`)})`;

/** Changes of the standing opinions of a project and period: `n` is +1 for each opinion, -1 for the one it replaces; `said` counts opinions. */
export const standingMoves = (when: When): Sql => sql`(
  SELECT project_id, period, bullish, sum(n)::int AS n, sum(said)::int AS said FROM (
    SELECT v.project_id, v.period, v.bullish, 1 AS n, 1 AS said FROM votes v WHERE ${when(sql`v.created_at`)}
    UNION ALL
    SELECT c.project_id, c.period, m.bullish, m.n, m.said FROM vote_changes c
    CROSS JOIN LATERAL (VALUES (c.bullish, 1, 1), (c.was_bullish, -1, 0)) m (bullish, n, said) WHERE ${when(sql`c.said_at`)}
    UNION ALL
    SELECT v.project_id, e.period, e.bullish, -1, 0 FROM votes v
    CROSS JOIN LATERAL ${newestOpinion(sql`v.user_id`, sql`v.project_id`, sql`o.period < v.period`)} e
    WHERE v.period > 1 AND ${when(sql`v.created_at`)}
  ) moves GROUP BY 1, 2, 3)`;

/** Kinds of ledger entries that burn Snaps. */
const burnedBy: Record<LedgerKind, string | null> = BURNED_BY;
const burns = Object.entries(burnedBy).flatMap(([kind, by]) => (by === null ? [] : [sql.lit(kind)]));
export const IS_BURN = sql<boolean>`kind IN (${sql.join(burns)})`;

/** Ledger entries by the time at which the totals count them: the reward of an undone vote comes with its return, so both change `owed` by 0. */
export const entriesIn = (when: When): Sql => sql`(
  SELECT user_id, 'vote_reward' AS kind, ${sql.lit(VOTE_REWARD_TOKENS)}::bigint AS amount, ${sql.lit(VOTE_REWARD_TOKENS)}::bigint AS owed, created_at FROM votes WHERE ${when(sql`created_at`)}
  UNION ALL
  SELECT user_id, kind::text, amount, CASE WHEN kind = 'vote_undone' THEN 0 ELSE amount END, created_at FROM token_ledger WHERE ${when(sql`created_at`)}
  UNION ALL
  SELECT user_id, 'vote_reward', -amount, 0, created_at FROM token_ledger WHERE kind = 'vote_undone' AND ${when(sql`created_at`)})`;
