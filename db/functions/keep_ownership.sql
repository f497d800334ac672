CREATE OR REPLACE FUNCTION keep_ownership() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.state, NEW.hash) = (OLD.state, OLD.hash) THEN RETURN NEW; END IF;
  -- INSERT … ON CONFLICT becomes an update of the existing row, which fires this trigger again.
  IF TG_OP = 'INSERT' AND EXISTS (SELECT FROM ownerships WHERE project_id = NEW.project_id) THEN RETURN NEW; END IF;
  -- The record lists them in this order, so they ascend even if the clock was set back.
  NEW.since := greatest(vote_time(), CASE WHEN TG_OP = 'UPDATE' THEN OLD.since + interval '1 microsecond' END);
  INSERT INTO ownership_events (project_id, state, hash, created_at) VALUES (NEW.project_id, NEW.state, NEW.hash, NEW.since);
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION keep_ownership() FROM PUBLIC;

CREATE TRIGGER ownerships_keep BEFORE INSERT OR UPDATE OF state, hash ON ownerships FOR EACH ROW EXECUTE FUNCTION keep_ownership();
