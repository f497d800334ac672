-- Keeps each version of a listing (R60), with the owner's rights: the console changes projects, but not their versions.
CREATE OR REPLACE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_salt bytea := substr(new_secret(), 1, 16);
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.version = OLD.version THEN RETURN NULL; END IF;
  INSERT INTO listing_versions (project_id, number, identity, name, image_hash, twitter_handle, website, category, description, salt, hash, created_at)
  VALUES (NEW.id, NEW.version, NEW.identity, NEW.name, NEW.image_hash, NEW.twitter_handle, NEW.website, NEW.category, NEW.description, v_salt,
    version_hash(v_salt, NEW.name, NEW.twitter_handle, NEW.website, NEW.category, NEW.description, NEW.image_hash), NEW.version_at);
  IF NEW.identity = 1 OR NEW.identity = OLD.identity THEN RETURN NULL; END IF;
  INSERT INTO identity_changes (project_id, identity, number, changed_at, what, old_name, votes_before)
  VALUES (NEW.id, NEW.identity, NEW.version, NEW.version_at, array_remove(ARRAY[
      CASE WHEN NEW.name <> OLD.name THEN 'name' END, CASE WHEN NEW.image_hash <> OLD.image_hash THEN 'picture' END,
      CASE WHEN NEW.twitter_handle <> OLD.twitter_handle THEN 'handle' END, CASE WHEN NEW.website IS DISTINCT FROM OLD.website THEN 'website' END], NULL),
    CASE WHEN NEW.name <> OLD.name THEN OLD.name END,
    coalesce((SELECT s.bullish + s.bearish FROM project_stats s WHERE s.project_id = NEW.id), 0));
  INSERT INTO change_notices AS n (project_id, next_number) VALUES (NEW.id, OLD.version)
  ON CONFLICT (project_id) DO UPDATE SET next_number = least(n.next_number, excluded.next_number);
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION keep_version() FROM PUBLIC;

CREATE TRIGGER projects_keep_version AFTER INSERT OR UPDATE OF name, image_hash, twitter_handle, website, category, description ON projects
  FOR EACH ROW EXECUTE FUNCTION keep_version();
