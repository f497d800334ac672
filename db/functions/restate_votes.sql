-- Keeps the state that the totals have counted, before a row changes that it depends on. An existing row is written again, so that a concurrent
-- move of the totals starts over. Found by keys alone: a plan cached while a table is empty would read all of it later.
CREATE OR REPLACE FUNCTION restate_votes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_row record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_TABLE_NAME = 'voter_standing' THEN
    INSERT INTO restated_votes AS r (user_id, project_id, period, said_at, counted_as)
    SELECT s.user_id, s.project_id, s.period, s.said_at, s.unreplaced_state FROM opinion_states s
    WHERE s.user_id = v_row.user_id AND s.unreplaced_state IN ('verified', 'waiting')
      AND NOT EXISTS (SELECT FROM vote_decisions d
        WHERE d.user_id = s.user_id AND d.project_id = s.project_id AND d.period = s.period AND d.cast_at = s.said_at)
    ON CONFLICT (user_id, project_id, period, said_at) DO UPDATE SET counted_as = r.counted_as;
  ELSE
    INSERT INTO restated_votes AS r (user_id, project_id, period, said_at, counted_as)
    SELECT s.user_id, s.project_id, s.period, s.said_at, s.unreplaced_state FROM opinion_states s
    WHERE s.user_id = v_row.user_id AND s.project_id = v_row.project_id AND s.period = v_row.period
      AND (TG_TABLE_NAME <> 'vote_decisions' OR TG_OP = 'DELETE' OR s.unreplaced_state::text <> to_jsonb(v_row) ->> 'state')
    ON CONFLICT (user_id, project_id, period, said_at) DO UPDATE SET counted_as = r.counted_as;
  END IF;
  RETURN v_row;
END $$;
REVOKE EXECUTE ON FUNCTION restate_votes() FROM PUBLIC;

CREATE TRIGGER voter_standing_inserted_restates BEFORE INSERT ON voter_standing
  FOR EACH ROW WHEN (NEW.state = 'standing') EXECUTE FUNCTION restate_votes();
CREATE TRIGGER voter_standing_updated_restates BEFORE UPDATE ON voter_standing
  FOR EACH ROW WHEN ((OLD.state = 'standing') <> (NEW.state = 'standing')) EXECUTE FUNCTION restate_votes();
CREATE TRIGGER voter_standing_deleted_restates BEFORE DELETE ON voter_standing
  FOR EACH ROW WHEN (OLD.state = 'standing') EXECUTE FUNCTION restate_votes();
CREATE TRIGGER vote_decisions_restate BEFORE INSERT OR DELETE ON vote_decisions
  FOR EACH ROW EXECUTE FUNCTION restate_votes();
CREATE TRIGGER vote_decisions_updated_restate BEFORE UPDATE ON vote_decisions
  FOR EACH ROW WHEN (OLD.state <> NEW.state OR OLD.cast_at <> NEW.cast_at) EXECUTE FUNCTION restate_votes();
CREATE TRIGGER votes_set_aside_restate BEFORE INSERT OR DELETE ON votes_set_aside
  FOR EACH ROW EXECUTE FUNCTION restate_votes();
