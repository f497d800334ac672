CREATE OR REPLACE FUNCTION user_stats_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM notify_servers('u', (SELECT array_agg(user_id) FROM changed WHERE TG_OP = 'UPDATE' OR total_votes > 0));
  RETURN NULL;
END $$;

CREATE TRIGGER user_stats_inserted AFTER INSERT ON user_stats
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
CREATE TRIGGER user_stats_updated AFTER UPDATE ON user_stats
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
