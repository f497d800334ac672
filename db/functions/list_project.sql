CREATE OR REPLACE FUNCTION list_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed := NEW.hidden_at IS NULL AND NEW.expires_at > now();
  RETURN NEW;
END $$;

CREATE TRIGGER projects_listed BEFORE INSERT OR UPDATE OF hidden_at, expires_at ON projects
  FOR EACH ROW EXECUTE FUNCTION list_project();
