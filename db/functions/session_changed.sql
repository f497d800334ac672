-- Servers do not cache the last-seen time.
CREATE OR REPLACE FUNCTION session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('s', ARRAY[OLD.user_id]);
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (ROW(OLD.token_hash, OLD.user_id, OLD.expires_at) IS DISTINCT FROM ROW(NEW.token_hash, NEW.user_id, NEW.expires_at))
  EXECUTE FUNCTION session_changed();
