-- Earlier slugs redirect (R23). For a slug of another project the reference from projects fails at the commit.
CREATE OR REPLACE FUNCTION keep_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_slugs (slug, project_id) VALUES (NEW.slug, NEW.id) ON CONFLICT (slug) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_keep_slug AFTER INSERT OR UPDATE OF slug ON projects
  FOR EACH ROW EXECUTE FUNCTION keep_slug();
