-- A project keeps its earlier addresses: a rename by any writer leaves the old one as a redirect (R23). A slug that
-- already belongs to another project stays with it, and the reference from projects then rejects the change at the
-- commit.
CREATE OR REPLACE FUNCTION keep_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_slugs (slug, project_id) VALUES (NEW.slug, NEW.id) ON CONFLICT (slug) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_keep_slug AFTER INSERT OR UPDATE OF slug ON projects
  FOR EACH ROW EXECUTE FUNCTION keep_slug();
