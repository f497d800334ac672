-- Notifies the servers of users whose notices have changed.
CREATE OR REPLACE FUNCTION notices_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('m', (SELECT array_agg(DISTINCT user_id) FROM changed));
  RETURN NULL;
END $$;

CREATE TRIGGER notices_inserted AFTER INSERT ON notices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();
CREATE TRIGGER notices_updated AFTER UPDATE ON notices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();
CREATE TRIGGER notices_deleted AFTER DELETE ON notices
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();
