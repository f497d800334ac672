import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { WithdrawalRisk } from '#shared/contract/admin.ts';
import type { VoterState } from '#shared/states/votes.ts';
import { isOnOwnListing, statesOf, votesOf } from '#server/books/opinions.ts';

const MAX_NETWORK_ROWS = 2_000;
const MAX_COMPARED = 20;

type RiskRow = WithdrawalRisk & { userId: number };

const NO_VOTES: WithdrawalRisk = {
  standing: 'waiting',
  votes: 0,
  verified: 0,
  excluded: 0,
  voteDays: 0,
  votesPerMinute: 0,
  sameNetwork: 0,
  equalVotes: 0,
};

/** Standing by the last Sunday or, for a wallet that is no longer read, by its votes, all of which must be verified. */
export const walletStanding = (userId: RawBuilder<unknown>): RawBuilder<VoterState> => sql<VoterState>`(
  SELECT CASE WHEN coalesce(s.state, 'waiting') <> 'standing'
      AND EXISTS (SELECT FROM vote_states v WHERE v.user_id = w.id)
      AND NOT EXISTS (SELECT FROM vote_states v WHERE v.user_id = w.id AND v.unreplaced_state <> 'verified' AND NOT ${isOnOwnListing(sql`v`)})
    THEN 'standing' ELSE coalesce(s.state, 'waiting') END
  FROM (SELECT ${userId} AS id) w LEFT JOIN voter_standing s ON s.user_id = w.id)`;

export async function risksOf(db: Db, userIds: readonly number[]): Promise<(userId: number) => WithdrawalRisk> {
  if (userIds.length === 0) return () => NO_VOTES;
  const { rows } = await sql<RiskRow>`
    SELECT u.id AS "userId", ${walletStanding(sql`u.id`)} AS standing, own.votes, own.verified, own.excluded, own.days AS "voteDays",
      coalesce(round(own.votes::numeric / nullif(own.minutes, 0), 1), 0)::float8 AS "votesPerMinute",
      near.wallets AS "sameNetwork", coalesce(alike.votes::float8 / nullif(own.votes, 0), 0) AS "equalVotes"
    FROM unnest(${[...new Set(userIds)]}::bigint[]) AS u (id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS votes, count(*) FILTER (WHERE v.unreplaced_state = 'verified' AND (v.said_at AT TIME ZONE 'UTC')::date <= s.decided_until)::int AS verified,
        count(*) FILTER (WHERE v.unreplaced_state = 'no_standing' OR a.reason IS NOT NULL)::int AS excluded,
        count(DISTINCT (v.created_at AT TIME ZONE 'UTC')::date)::int AS days, count(DISTINCT date_trunc('minute', v.created_at))::int AS minutes
      FROM ${statesOf(sql`u.id`)} v
      LEFT JOIN voter_standing s ON s.user_id = v.user_id
      LEFT JOIN LATERAL (SELECT a.reason FROM votes_set_aside a
        WHERE a.user_id = v.user_id AND a.project_id = v.project_id AND a.period = v.period
          AND NOT ${isOnOwnListing(sql`a`)} LIMIT 1) a ON true
    ) own
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS wallets, (array_agg(other ORDER BY days DESC, other))[1:${sql.lit(MAX_COMPARED)}] AS nearest
      FROM (
        SELECT other, count(*) AS days FROM (
          SELECT o.user_id AS other FROM voter_networks n
          JOIN voter_networks o ON o.day = n.day AND o.network = n.network AND o.user_id <> n.user_id
          WHERE n.user_id = u.id LIMIT ${sql.lit(MAX_NETWORK_ROWS)}
        ) met GROUP BY other
      ) counted
    ) near
    CROSS JOIN LATERAL (
      SELECT max(votes) AS votes FROM (
        SELECT count(*) AS votes FROM unnest(near.nearest) AS o (id)
        CROSS JOIN LATERAL ${votesOf(sql`u.id`)} mine
        JOIN LATERAL ${votesOf(sql`o.id`)} theirs USING (project_id, period, bullish)
        GROUP BY o.id
      ) equal
    ) alike`.execute(db);
  const found = new Map(rows.map(({ userId, ...risk }) => [userId, risk]));
  return (userId) => found.get(userId) ?? NO_VOTES;
}
