CREATE OR REPLACE FUNCTION user_stats_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_servers('u', (SELECT array_agg(user_id) FROM previous));
  RETURN NULL;
END $$;

CREATE TRIGGER user_stats_deleted AFTER DELETE ON user_stats
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION user_stats_deleted();
