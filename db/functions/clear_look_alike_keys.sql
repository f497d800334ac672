-- A rename by the console leaves the key to the server (server/listings/projects/look-alikes.ts).
CREATE OR REPLACE FUNCTION clear_look_alike_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.name <> OLD.name AND NEW.look_alike_keys IS NOT DISTINCT FROM OLD.look_alike_keys THEN NEW.look_alike_keys := NULL; END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER projects_clear_look_alike_keys BEFORE UPDATE OF name ON projects FOR EACH ROW EXECUTE FUNCTION clear_look_alike_keys();
