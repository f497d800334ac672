-- The argument of the trigger is a kind of notify_servers.
CREATE OR REPLACE FUNCTION projects_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('snapswipe', TG_ARGV[0] || ':*');
  RETURN NULL;
END $$;

CREATE TRIGGER projects_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON projects
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER listing_versions_changed AFTER UPDATE OF blanked_at, same_at ON listing_versions
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER packages_changed AFTER INSERT OR DELETE ON packages
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER ownerships_changed AFTER INSERT OR UPDATE OF state, hash OR DELETE ON ownerships
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER claims_changed AFTER INSERT OR UPDATE OR DELETE ON claims
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER project_stats_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON project_stats
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
CREATE TRIGGER verified_stats_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON verified_stats
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
CREATE TRIGGER verified_votes_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON verified_stats
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('v');
-- Needs no trigger on insert and delete: both come with an update of `projects` or a version.
CREATE TRIGGER identity_changes_changed AFTER UPDATE OF votes_before, trend_bullish ON identity_changes
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
CREATE TRIGGER identity_votes_changed AFTER UPDATE OF votes_before, trend_bullish ON identity_changes
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('v');
CREATE TRIGGER closed_days_changed AFTER INSERT OR DELETE OR TRUNCATE ON closed_days
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('t');
CREATE TRIGGER standing_days_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON standing_days
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('t');
CREATE TRIGGER project_days_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON project_days
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
CREATE TRIGGER reason_figures_changed AFTER INSERT OR DELETE OR TRUNCATE ON reason_figures
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
CREATE TRIGGER project_trends_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON project_trends
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
