-- A proof (R71) is lost with another coin or owner, and proves ownership only for a coin that the catalogue or a moderator set.
CREATE OR REPLACE FUNCTION follow_ownership() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE ownerships o SET state = n.state
  FROM (
    SELECT w.project_id, CASE
      WHEN NEW.owner_id <> OLD.owner_id OR w.subject NOT IN (coalesce(NEW.coin_type, ''), coalesce(NEW.package_id, '')) THEN 'lost'
      WHEN w.state = 'accepted' THEN 'accepted'
      WHEN NEW.coin_source = 'lister' THEN 'controls'
      ELSE 'proven' END::ownership_state AS state
    FROM ownerships w WHERE w.project_id = NEW.id AND w.state <> 'lost'
  ) n
  WHERE o.project_id = n.project_id AND o.state <> n.state;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION follow_ownership() FROM PUBLIC;

CREATE TRIGGER projects_follow_ownership AFTER UPDATE OF coin_type, package_id, coin_source, owner_id ON projects
  FOR EACH ROW EXECUTE FUNCTION follow_ownership();
