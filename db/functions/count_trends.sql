-- 'Trending' by the totals: a vote that turned today weighs 7, one of six days ago 1. A confirmation keeps its age (R57).
CREATE OR REPLACE FUNCTION count_trends() RETURNS void LANGUAGE sql AS $$
  WITH newest AS MATERIALIZED (
    SELECT project_id::bigint AS project_id, identity, coalesce(sum(value) FILTER (WHERE kind = 'bullish'), 0) AS bullish,
      coalesce(sum(value) FILTER (WHERE kind = 'bearish'), 0) AS bearish, sum(value * (7 - (t.today - day))) AS weight
    FROM totals CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
    WHERE name = 'trend' AND value <> 0 AND day BETWEEN t.today - 6 AND t.today GROUP BY 1, 2
  ), counted AS MATERIALIZED (
    SELECT project_id, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish, sum(weight)::bigint AS weight FROM newest GROUP BY project_id
  ), gone AS (
    DELETE FROM project_trends p WHERE NOT EXISTS (SELECT FROM counted c WHERE c.project_id = p.project_id)
  ), since AS (
    SELECT c.project_id, c.identity, coalesce(sum(n.bullish), 0) AS bullish, coalesce(sum(n.bearish), 0) AS bearish, coalesce(sum(n.weight), 0) AS weight
    FROM identity_changes c LEFT JOIN newest n ON n.project_id = c.project_id AND n.identity >= c.identity GROUP BY 1, 2
  ), changed AS (
    UPDATE identity_changes i SET trend_bullish = s.bullish, trend_bearish = s.bearish, trend_weight = s.weight FROM since s
    WHERE i.project_id = s.project_id AND i.identity = s.identity
      AND (i.trend_bullish, i.trend_bearish, i.trend_weight) <> (s.bullish, s.bearish, s.weight)
  )
  INSERT INTO project_trends AS p (project_id, bullish, bearish, weight) SELECT project_id, bullish, bearish, weight FROM counted
  ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, weight = excluded.weight
  WHERE (p.bullish, p.bearish, p.weight) <> (excluded.bullish, excluded.bearish, excluded.weight);
$$;
