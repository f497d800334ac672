-- Notifies the servers of users whose profile has changed.
CREATE OR REPLACE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('n', (SELECT array_agg(id) FROM previous));
  RETURN NULL;
END $$;

CREATE TRIGGER users_updated AFTER UPDATE ON users
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();
CREATE TRIGGER users_deleted AFTER DELETE ON users
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();
