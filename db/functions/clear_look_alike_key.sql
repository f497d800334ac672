-- A project that gets another name without the key of that name (a statement of the console, a server of the version before) has none until
-- the server has worked it out (server/projects/look-alikes.ts).
CREATE OR REPLACE FUNCTION clear_look_alike_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.name <> OLD.name AND NEW.look_alike_key IS NOT DISTINCT FROM OLD.look_alike_key THEN NEW.look_alike_key := NULL; END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER projects_clear_look_alike_key BEFORE UPDATE OF name ON projects FOR EACH ROW EXECUTE FUNCTION clear_look_alike_key();
