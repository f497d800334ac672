-- What a person sees of own sessions: an id that is no secret, the device in plain words, and when it was last seen (to the hour;
-- votes do not write it).

ALTER TABLE sessions
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN device text NOT NULL DEFAULT 'Unknown browser' CHECK (char_length(device) BETWEEN 1 AND 80),
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();
UPDATE sessions SET last_seen_at = created_at;

-- Being seen changes nothing that servers hold of a session: only other updates are told.
DROP TRIGGER sessions_updated ON sessions;
CREATE FUNCTION session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_servers('s', ARRAY[OLD.user_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (ROW(OLD.token_hash, OLD.user_id, OLD.expires_at) IS DISTINCT FROM ROW(NEW.token_hash, NEW.user_id, NEW.expires_at))
  EXECUTE FUNCTION session_changed();
