-- Writes the final figures of a day (R94), from the totals and from the opinions that no closed day has counted. Days are closed once and
-- in order, because an opinion takes the place of the one that it replaces.
CREATE OR REPLACE FUNCTION close_day(p_day date, p_since timestamptz) RETURNS void LANGUAGE sql AS $$
  WITH given AS MATERIALIZED (
    SELECT v.project_id, v.created_at AS said_at, v.bullish, 1 AS votes, e.bullish AS was_bullish, e.said_at AS was_said_at
    FROM votes v LEFT JOIN LATERAL (
      SELECT o.bullish, o.said_at FROM opinions o
      WHERE v.period > 1 AND o.user_id = v.user_id AND o.project_id = v.project_id AND o.period < v.period ORDER BY o.period DESC, o.said_at DESC LIMIT 1) e ON true
    WHERE v.created_at >= p_since AND v.created_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT c.project_id, c.said_at, c.bullish, 0, c.was_bullish, c.was_said_at
    FROM vote_changes c WHERE c.said_at >= p_since AND c.said_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
  ), moved AS (
    SELECT project_id, said_on, sum(bullish) AS bullish, sum(bearish) AS bearish FROM (
      SELECT project_id, (said_at AT TIME ZONE 'UTC')::date AS said_on, bullish::int AS bullish, (NOT bullish)::int AS bearish FROM given
      UNION ALL
      SELECT project_id, (was_said_at AT TIME ZONE 'UTC')::date, -was_bullish::int, -(NOT was_bullish)::int FROM given WHERE was_said_at IS NOT NULL
    ) x WHERE said_on > p_day - 30 GROUP BY 1, 2
  ), spoken AS MATERIALIZED (
    -- The 30 days of 'Now' at the end of this day.
    SELECT project_id, said_on, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish FROM (
      SELECT * FROM opinion_days UNION ALL SELECT * FROM moved) x WHERE said_on > p_day - 30 GROUP BY 1, 2
  ), gone AS (
    DELETE FROM opinion_days WHERE said_on <= p_day - 30
  ), spoken_days AS (
    INSERT INTO opinion_days AS o (project_id, said_on, bullish, bearish)
    SELECT s.project_id, s.said_on, s.bullish, s.bearish FROM spoken s JOIN moved m ON m.project_id = s.project_id AND m.said_on = s.said_on
    ON CONFLICT (project_id, said_on) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish
  ), changes AS (
    SELECT project_id, sum(bullish::int - coalesce(was_bullish, false)::int) AS bullish,
      sum((NOT bullish)::int - coalesce(NOT was_bullish, false)::int) AS bearish, sum(votes) AS votes,
      count(*) FILTER (WHERE bullish AND NOT was_bullish) AS turned_bullish, count(*) FILTER (WHERE NOT bullish AND was_bullish) AS turned_bearish
    FROM given GROUP BY 1
  ), verified AS MATERIALIZED (
    SELECT project_id::bigint AS project_id, coalesce(sum(value) FILTER (WHERE kind = 'verified_bullish'), 0)::bigint AS bullish,
      coalesce(sum(value) FILTER (WHERE kind = 'verified_bearish'), 0)::bigint AS bearish
    FROM totals WHERE name = 'opinions' AND kind IN ('verified_bullish', 'verified_bearish') GROUP BY 1 HAVING sum(value) <> 0
  ), sides AS MATERIALIZED (
    SELECT i.project_id, i.identity, i.is_same,
      coalesce(sum(t.value) FILTER (WHERE t.identity < i.identity AND t.kind IN ('bullish', 'bearish')), 0)::bigint AS votes_before,
      coalesce(sum(t.value) FILTER (WHERE t.identity >= i.identity AND t.kind = 'verified_bullish'), 0)::bigint AS bullish,
      coalesce(sum(t.value) FILTER (WHERE t.identity >= i.identity AND t.kind = 'verified_bearish'), 0)::bigint AS bearish
    FROM identity_changes i LEFT JOIN totals t ON t.name = 'opinions' AND t.project_id = i.project_id
    WHERE i.changed_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC' GROUP BY 1, 2, 3
  ), trend AS MATERIALIZED (
    SELECT project_id::bigint AS project_id, identity, coalesce(sum(value) FILTER (WHERE kind = 'bullish'), 0) AS bullish,
      coalesce(sum(value) FILTER (WHERE kind = 'bearish'), 0) AS bearish, sum(value * (7 - (p_day - day))) AS weight
    FROM totals WHERE name = 'trend' AND value <> 0 AND day BETWEEN p_day - 6 AND p_day GROUP BY 1, 2
  ), trends AS MATERIALIZED (
    SELECT project_id, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish, sum(weight)::bigint AS weight FROM trend GROUP BY project_id
  ), new_sides AS (
    UPDATE identity_changes i SET votes_before = s.votes_before, bullish = s.bullish, bearish = s.bearish,
      trend_bullish = s.trend_bullish, trend_bearish = s.trend_bearish, trend_weight = s.trend_weight
    FROM (
      SELECT s.*, coalesce(sum(n.bullish), 0)::bigint AS trend_bullish, coalesce(sum(n.bearish), 0)::bigint AS trend_bearish, coalesce(sum(n.weight), 0)::bigint AS trend_weight
      FROM sides s LEFT JOIN trend n ON n.project_id = s.project_id AND n.identity >= s.identity GROUP BY 1, 2, 3, 4, 5, 6
    ) s WHERE i.project_id = s.project_id AND i.identity = s.identity
  ), no_trends AS (
    DELETE FROM project_trends p WHERE NOT EXISTS (SELECT FROM trends t WHERE t.project_id = p.project_id)
  ), new_trends AS (
    INSERT INTO project_trends AS p (project_id, bullish, bearish, weight) SELECT project_id, bullish, bearish, weight FROM trends
    ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, weight = excluded.weight
    WHERE (p.bullish, p.bearish, p.weight) <> (excluded.bullish, excluded.bearish, excluded.weight)
  ), none_verified AS (
    DELETE FROM verified_stats s WHERE NOT EXISTS (SELECT FROM verified v WHERE v.project_id = s.project_id)
  ), new_verified AS (
    INSERT INTO verified_stats AS s (project_id, bullish, bearish) SELECT project_id, bullish, bearish FROM verified
    ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, excluded_since = 0
    WHERE (s.bullish, s.bearish, s.excluded_since) <> (excluded.bullish, excluded.bearish, 0)
  ), states AS MATERIALIZED (
    SELECT day, kind::vote_state AS state, value AS votes FROM totals WHERE name = 'days' AND value <> 0
  ), no_states AS (
    DELETE FROM vote_state_days v WHERE NOT EXISTS (SELECT FROM states s WHERE s.day = v.day AND s.state = v.state)
  ), new_states AS (
    INSERT INTO vote_state_days AS v (day, state, votes) SELECT day, state, votes FROM states
    ON CONFLICT (day, state) DO UPDATE SET votes = excluded.votes WHERE v.votes <> excluded.votes
  ), figures AS (
    -- rank_votes: votesForRank of shared/figures/sorts.ts.
    SELECT p.id AS project_id, c.votes, c.turned_bullish, c.turned_bearish, c.project_id IS NOT NULL AS is_given, l.day AS last_day,
      coalesce(l.bullish, 0) + coalesce(c.bullish, 0) AS bullish, coalesce(l.bearish, 0) + coalesce(c.bearish, 0) AS bearish,
      coalesce(v.bullish, 0) AS verified_bullish, coalesce(v.bearish, 0) AS verified_bearish,
      least(coalesce(v.bullish + v.bearish, 0), s.votes) AS rank_votes, coalesce(n.bullish, 0) AS now_bullish, coalesce(n.bearish, 0) AS now_bearish,
      coalesce(l.verified_bullish, 0) AS was_verified_bullish, coalesce(l.verified_bearish, 0) AS was_verified_bearish,
      coalesce(l.rank_votes, 0) AS was_rank_votes, coalesce(l.now_bullish, 0) AS was_now_bullish, coalesce(l.now_bearish, 0) AS was_now_bearish
    FROM projects p
    LEFT JOIN changes c ON c.project_id = p.id LEFT JOIN verified v ON v.project_id = p.id
    LEFT JOIN (SELECT project_id, min(bullish + bearish) AS votes FROM sides WHERE NOT is_same GROUP BY 1) s ON s.project_id = p.id
    LEFT JOIN (SELECT project_id, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish FROM spoken GROUP BY 1) n ON n.project_id = p.id
    LEFT JOIN LATERAL (SELECT * FROM project_days d WHERE d.project_id = p.id ORDER BY d.day DESC LIMIT 1) l ON true
  )
  INSERT INTO project_days (project_id, day, bullish, bearish, votes, turned_bullish, turned_bearish, verified_bullish, verified_bearish, rank_votes,
    now_bullish, now_bearish)
  SELECT project_id, p_day, bullish, bearish, coalesce(votes, 0), coalesce(turned_bullish, 0), coalesce(turned_bearish, 0), verified_bullish,
    verified_bearish, rank_votes, now_bullish, now_bearish
  FROM figures
  WHERE is_given OR (verified_bullish, verified_bearish, rank_votes, now_bullish, now_bearish)
    <> (was_verified_bullish, was_verified_bearish, was_rank_votes, was_now_bullish, was_now_bearish);
$$;
