import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { WithdrawalRisk } from '#shared/contract/admin.ts';

/** Wallets of the same network are counted up to this many, and votes compared with those of so few. */
const MAX_NETWORK_ROWS = 2_000;
const MAX_COMPARED = 20;

type RiskRow = WithdrawalRisk & { userId: number };

const NO_VOTES: WithdrawalRisk = {
  standing: 'waiting',
  votes: 0,
  voteDays: 0,
  votesPerMinute: 0,
  sameNetwork: 0,
  equalVotes: 0,
};

/** What speaks for or against the wallets of these users, by user. Bounded work for each of them. */
export async function risksOf(db: Db, userIds: readonly number[]): Promise<(userId: number) => WithdrawalRisk> {
  if (userIds.length === 0) return () => NO_VOTES;
  const { rows } = await sql<RiskRow>`
    SELECT u.id AS "userId", coalesce(s.state, 'waiting') AS standing, own.votes, own.days AS "voteDays",
      coalesce(round(own.votes::numeric / nullif(own.minutes, 0), 1), 0)::float8 AS "votesPerMinute",
      near.wallets AS "sameNetwork", coalesce(alike.votes::float8 / nullif(own.votes, 0), 0) AS "equalVotes"
    FROM unnest(${[...new Set(userIds)]}::bigint[]) AS u (id)
    LEFT JOIN voter_standing s ON s.user_id = u.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS votes, count(DISTINCT (created_at AT TIME ZONE 'UTC')::date)::int AS days,
        count(DISTINCT date_trunc('minute', created_at))::int AS minutes
      FROM votes WHERE user_id = u.id
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
        JOIN votes mine ON mine.user_id = u.id
        JOIN votes theirs ON theirs.user_id = o.id AND theirs.project_id = mine.project_id AND theirs.period = mine.period
          AND theirs.bullish = mine.bullish
        GROUP BY o.id
      ) equal
    ) alike`.execute(db);
  const found = new Map(rows.map(({ userId, ...risk }) => [userId, risk]));
  return (userId) => found.get(userId) ?? NO_VOTES;
}
