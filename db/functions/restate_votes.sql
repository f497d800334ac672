-- Keeps the state that the totals have counted, before a vote is set aside or counts again. An existing row is written again, so that a concurrent
-- move of the totals starts over. Found by keys alone: a plan cached while a table is empty would read all of it later.
CREATE OR REPLACE FUNCTION restate_votes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_row record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM restated_votes r
    WHERE r.user_id = v_row.user_id AND r.project_id = v_row.project_id AND r.period = v_row.period) THEN
    PERFORM lower_figures(v_row.user_id, v_row.project_id, v_row.period);
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
