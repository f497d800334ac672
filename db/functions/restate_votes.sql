-- Keeps the state that the totals have counted, before a vote is set aside or counts again. An existing row is written again, so that a concurrent
-- move of the totals starts over. A verified bullish vote that is set aside lowers its project at once, for the first time until the next close
-- counts again (R94); a bearish one would raise it. Found by keys alone: a plan cached while a table is empty would read all of it later.
CREATE OR REPLACE FUNCTION restate_votes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_row record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH closed AS (SELECT c.day, c.until FROM closed_days c ORDER BY c.day DESC LIMIT 1), gone AS MATERIALIZED (
      SELECT s.project_id, identity_at(p.id, p.identity, s.said_at) AS identity, greatest(7 - (c.day - (s.turned_at AT TIME ZONE 'UTC')::date), 0) AS weight, c.until
      FROM closed c CROSS JOIN opinion_states s JOIN projects p ON p.id = s.project_id
      WHERE s.user_id = v_row.user_id AND s.project_id = v_row.project_id AND s.period = v_row.period AND s.bullish AND s.unreplaced_state = 'verified'
        AND s.said_at < c.until AND (s.changed_at >= c.until) IS NOT FALSE AND (s.replaced_at >= c.until) IS NOT FALSE
        AND NOT EXISTS (SELECT FROM restated_votes r
          WHERE r.user_id = s.user_id AND r.project_id = s.project_id AND r.period = s.period AND r.said_at = s.said_at)
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
  END IF;
  INSERT INTO restated_votes AS r (user_id, project_id, period, said_at, counted_as)
  SELECT s.user_id, s.project_id, s.period, s.said_at, s.unreplaced_state FROM opinion_states s
  WHERE s.user_id = v_row.user_id AND s.project_id = v_row.project_id AND s.period = v_row.period
  ON CONFLICT (user_id, project_id, period, said_at) DO UPDATE SET counted_as = r.counted_as;
  RETURN v_row;
END $$;
REVOKE EXECUTE ON FUNCTION restate_votes() FROM PUBLIC;

CREATE TRIGGER votes_set_aside_restate BEFORE INSERT OR DELETE ON votes_set_aside
  FOR EACH ROW EXECUTE FUNCTION restate_votes();
