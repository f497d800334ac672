CREATE OR REPLACE FUNCTION replies_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('r', (
    SELECT array_agg(DISTINCT r.project_id) FROM changed c JOIN reviews r ON r.id = c.review_id));
  RETURN NULL;
END $$;

CREATE TRIGGER review_replies_inserted AFTER INSERT ON review_replies
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
CREATE TRIGGER review_replies_updated AFTER UPDATE ON review_replies
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
CREATE TRIGGER review_replies_deleted AFTER DELETE ON review_replies
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
