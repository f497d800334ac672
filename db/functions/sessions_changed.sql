CREATE OR REPLACE FUNCTION sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('s', (SELECT array_agg(DISTINCT user_id) FROM previous));
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION sessions_changed();
