-- Subtracts an excluded vote from the figures of the last closed day, if they count it as verified and bullish (R94). A bearish vote stays
-- until the next close: without it the project would rise.
CREATE OR REPLACE FUNCTION lower_figures(p_user bigint, p_project bigint, p_period int) RETURNS void LANGUAGE sql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  WITH gone AS MATERIALIZED (
    SELECT s.project_id, identity_at(p.id, p.identity, s.said_at) AS identity, greatest(7 - (c.day - (s.turned_at AT TIME ZONE 'UTC')::date), 0) AS weight, c.until
    FROM (SELECT day, until FROM closed_days ORDER BY day DESC LIMIT 1) c CROSS JOIN opinion_states s JOIN projects p ON p.id = s.project_id
    LEFT JOIN restated_votes r ON r.user_id = s.user_id AND r.project_id = s.project_id AND r.period = s.period AND r.said_at = s.said_at
    WHERE s.user_id = p_user AND s.project_id = p_project AND s.period = p_period AND s.bullish AND coalesce(r.counted_as, s.unreplaced_state) = 'verified'
      AND s.said_at < c.until AND (s.changed_at >= c.until) IS NOT FALSE AND (s.replaced_at >= c.until) IS NOT FALSE
  ), verified AS (
    UPDATE verified_stats v SET bullish = v.bullish - 1, excluded_since = v.excluded_since + 1 FROM gone g
    WHERE v.project_id = g.project_id AND v.bullish > 0
  ), trends AS (
    UPDATE project_trends t SET bullish = greatest(t.bullish - 1, 0), weight = greatest(t.weight - g.weight, 0) FROM gone g
    WHERE t.project_id = g.project_id AND g.weight > 0
  )
  UPDATE identity_changes i SET bullish = greatest(i.bullish - 1, 0), trend_bullish = greatest(i.trend_bullish - (g.weight > 0)::int, 0),
    trend_weight = greatest(i.trend_weight - g.weight, 0)
  FROM gone g WHERE i.project_id = g.project_id AND i.identity <= g.identity AND i.changed_at < g.until;
$$;
