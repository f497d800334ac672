-- The address of a project stays its own: a rename leaves the one before as a redirect (R23), whatever writes it. A slug that is
-- another project's already stays that project's, and the reference from projects then refuses the change at the commit.
CREATE OR REPLACE FUNCTION keep_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_slugs (slug, project_id) VALUES (NEW.slug, NEW.id) ON CONFLICT (slug) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_keep_slug AFTER INSERT OR UPDATE OF slug ON projects
  FOR EACH ROW EXECUTE FUNCTION keep_slug();
