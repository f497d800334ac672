-- Counts the days of all projects from `p_from` on, from the votes themselves; counting again gives the same result. A
-- vote in a later listing period subtracts the user's earlier one on the day on which it was cast.
CREATE OR REPLACE FUNCTION count_project_days(p_from date) RETURNS void LANGUAGE sql AS $$
  WITH newly AS MATERIALIZED (
    SELECT v.user_id, v.project_id, v.period, v.bullish, (v.created_at AT TIME ZONE 'UTC')::date AS day
    FROM votes v WHERE v.created_at >= p_from::timestamp AT TIME ZONE 'UTC'
  ), changes AS (
    SELECT project_id, day, bullish::int AS bullish, (NOT bullish)::int AS bearish, 1 AS votes FROM newly
    UNION ALL
    SELECT n.project_id, n.day, -e.bullish::int, -(NOT e.bullish)::int, 0 FROM newly n CROSS JOIN LATERAL (
      SELECT v.bullish FROM votes v WHERE v.user_id = n.user_id AND v.project_id = n.project_id AND v.period < n.period
      ORDER BY v.period DESC LIMIT 1) e
    WHERE n.period > 1
    UNION ALL
    -- Days that were counted before: their votes may have been undone.
    SELECT d.project_id, d.day, 0, 0, 0 FROM project_days d WHERE d.day >= p_from
  ), days AS (
    SELECT project_id, day, sum(bullish) AS bullish, sum(bearish) AS bearish, sum(votes) AS votes FROM changes GROUP BY 1, 2
  ), counted AS (
    SELECT d.project_id, d.day, d.votes,
      coalesce(b.bullish, 0) + sum(d.bullish) OVER until_day AS bullish, coalesce(b.bearish, 0) + sum(d.bearish) OVER until_day AS bearish
    FROM days d LEFT JOIN LATERAL (
      SELECT p.bullish, p.bearish FROM project_days p WHERE p.project_id = d.project_id AND p.day < p_from ORDER BY p.day DESC LIMIT 1) b ON true
    WINDOW until_day AS (PARTITION BY d.project_id ORDER BY d.day)
  )
  INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes) SELECT project_id, day, bullish, bearish, votes FROM counted
  ON CONFLICT (project_id, day) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, votes = excluded.votes
  WHERE (p.bullish, p.bearish, p.votes) <> (excluded.bullish, excluded.bearish, excluded.votes);

  -- Verified counters of today, where they differ from the newest known ones.
  INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
  SELECT l.project_id, (now() AT TIME ZONE 'UTC')::date, l.bullish, l.bearish, 0, coalesce(s.bullish, 0), coalesce(s.bearish, 0)
  FROM (SELECT DISTINCT ON (project_id) * FROM project_days ORDER BY project_id, day DESC) l
  LEFT JOIN (SELECT project_id, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish FROM verified_stats GROUP BY 1) s USING (project_id)
  WHERE EXISTS (SELECT FROM verified_counts)
    AND (l.verified_bullish, l.verified_bearish) IS DISTINCT FROM (coalesce(s.bullish, 0), coalesce(s.bearish, 0))
  ON CONFLICT (project_id, day) DO UPDATE SET verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish;
$$;
