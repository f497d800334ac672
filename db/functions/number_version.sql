-- The only writer of the numbers of versions and identities (R60).
CREATE OR REPLACE FUNCTION number_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_is_new boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.version := 1;
    NEW.identity := 1;
    NEW.version_at := vote_time();
    NEW.created_at := greatest(NEW.created_at, (SELECT max(until) FROM log_checkpoints));
    RETURN NEW;
  END IF;
  v_is_new := (NEW.name, NEW.image_hash, NEW.twitter_handle, NEW.website) IS DISTINCT FROM (OLD.name, OLD.image_hash, OLD.twitter_handle, OLD.website);
  NEW.identity := OLD.identity + v_is_new::int;
  NEW.version := OLD.version + (v_is_new OR (NEW.category, NEW.description) IS DISTINCT FROM (OLD.category, OLD.description))::int;
  -- Versions ascend by the clock of votes.
  NEW.version_at := CASE WHEN NEW.version = OLD.version THEN OLD.version_at
    ELSE greatest(vote_time(), OLD.version_at + interval '1 microsecond') END;
  RETURN NEW;
END $$;

CREATE TRIGGER projects_number_version BEFORE INSERT OR UPDATE OF name, image_hash, twitter_handle, website, category, description, version, version_at, identity ON projects
  FOR EACH ROW EXECUTE FUNCTION number_version();
