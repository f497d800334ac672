-- Counts the verified votes of the last seven UTC days for the order 'Trending': a vote of today weighs 7, one of six days ago 1. A vote is
-- as young as its direction: one that turned today weighs 7, and a confirmation makes none younger (R57).
CREATE OR REPLACE FUNCTION count_trends() RETURNS void LANGUAGE sql AS $$
  WITH counted AS MATERIALIZED (
    SELECT v.project_id, count(*) FILTER (WHERE v.bullish) AS bullish, count(*) FILTER (WHERE NOT v.bullish) AS bearish,
      sum(7 - (t.today - (v.turned_at AT TIME ZONE 'UTC')::date)) AS weight
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
    -- No opinion is older than its direction, so the range of said_at, which has an index, loses none.
    JOIN vote_states v ON v.said_at >= (t.today - 6)::timestamp AT TIME ZONE 'UTC' AND v.turned_at >= (t.today - 6)::timestamp AT TIME ZONE 'UTC'
      AND v.turned_at < (t.today + 1)::timestamp AT TIME ZONE 'UTC'
    WHERE v.state = 'verified' GROUP BY v.project_id
  ), gone AS (
    DELETE FROM project_trends p WHERE NOT EXISTS (SELECT FROM counted c WHERE c.project_id = p.project_id)
  )
  INSERT INTO project_trends AS p (project_id, bullish, bearish, weight) SELECT project_id, bullish, bearish, weight FROM counted
  ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, weight = excluded.weight
  WHERE (p.bullish, p.bearish, p.weight) <> (excluded.bullish, excluded.bearish, excluded.weight);
$$;
