-- A proof (R71) is lost with another coin or owner, and proves ownership only for a coin that the catalogue or a moderator set.
CREATE OR REPLACE FUNCTION follow_ownership() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE ownerships o SET state = n.state
  FROM (
    SELECT w.project_id, CASE
      WHEN NEW.owner_id <> OLD.owner_id THEN 'lost'
      WHEN w.subject IN (coalesce(original_of(NEW.coin_type), ''), coalesce(original_of(NEW.package_id), '')) THEN CASE
        WHEN w.state = 'accepted' THEN 'accepted'
        WHEN NEW.coin_source = 'lister' THEN 'controls'
        ELSE 'proven' END
      -- The node did not say which package this is a version of: the recheck asks again (server/listings/ownership/recheck.ts).
      WHEN w.state <> 'accepted' AND EXISTS (
        SELECT FROM unnest(ARRAY[NEW.coin_type, NEW.package_id]) name
        WHERE name IS NOT NULL AND NOT EXISTS (SELECT FROM packages p WHERE p.id = left(name, 66))
      ) THEN 'controls'
      ELSE 'lost' END::ownership_state AS state
    FROM ownerships w WHERE w.project_id = NEW.id AND w.state <> 'lost'
  ) n
  WHERE o.project_id = n.project_id AND o.state <> n.state;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION follow_ownership() FROM PUBLIC;

CREATE TRIGGER projects_follow_ownership AFTER UPDATE OF coin_type, package_id, coin_source, owner_id ON projects
  FOR EACH ROW EXECUTE FUNCTION follow_ownership();
