-- Counts the verified votes of the last seven UTC days for the order 'Trending': a vote of today weighs 7, one of six days ago 1. A vote is
-- as young as its direction: one that turned today weighs 7, and a confirmation makes none younger (R57). The votes given, changed or
-- confirmed since a change of identity are counted on their own (R60): place is the number of changes before the opinion.
CREATE OR REPLACE FUNCTION count_trends() RETURNS void LANGUAGE sql AS $$
  WITH starts AS (
    SELECT project_id, array_agg(changed_at ORDER BY identity) AS changes FROM identity_changes GROUP BY project_id
  ), newest AS MATERIALIZED (
    SELECT v.project_id, coalesce(width_bucket(v.said_at, s.changes), 0) AS place,
      count(*) FILTER (WHERE v.bullish) AS bullish, count(*) FILTER (WHERE NOT v.bullish) AS bearish,
      sum(7 - (t.today - (v.turned_at AT TIME ZONE 'UTC')::date)) AS weight
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
    -- No opinion is older than its direction, so the range of said_at, which has an index, loses none.
    JOIN vote_states v ON v.said_at >= (t.today - 6)::timestamp AT TIME ZONE 'UTC' AND v.turned_at >= (t.today - 6)::timestamp AT TIME ZONE 'UTC'
      AND v.turned_at < (t.today + 1)::timestamp AT TIME ZONE 'UTC'
    LEFT JOIN starts s ON s.project_id = v.project_id
    WHERE v.state = 'verified' GROUP BY 1, 2
  ), counted AS MATERIALIZED (
    SELECT project_id, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish, sum(weight)::bigint AS weight FROM newest GROUP BY project_id
  ), gone AS (
    DELETE FROM project_trends p WHERE NOT EXISTS (SELECT FROM counted c WHERE c.project_id = p.project_id)
  ), changes AS (
    SELECT project_id, identity, row_number() OVER (PARTITION BY project_id ORDER BY identity) AS place FROM identity_changes
  ), since AS (
    SELECT c.project_id, c.identity, coalesce(sum(n.bullish), 0) AS bullish, coalesce(sum(n.bearish), 0) AS bearish, coalesce(sum(n.weight), 0) AS weight
    FROM changes c LEFT JOIN newest n ON n.project_id = c.project_id AND n.place >= c.place GROUP BY 1, 2
  ), changed AS (
    UPDATE identity_changes i SET trend_bullish = s.bullish, trend_bearish = s.bearish, trend_weight = s.weight FROM since s
    WHERE i.project_id = s.project_id AND i.identity = s.identity
      AND (i.trend_bullish, i.trend_bearish, i.trend_weight) <> (s.bullish, s.bearish, s.weight)
  )
  INSERT INTO project_trends AS p (project_id, bullish, bearish, weight) SELECT project_id, bullish, bearish, weight FROM counted
  ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, weight = excluded.weight
  WHERE (p.bullish, p.bearish, p.weight) <> (excluded.bullish, excluded.bearish, excluded.weight);
$$;
