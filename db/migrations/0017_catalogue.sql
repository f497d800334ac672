-- Imports of the catalogue (R72): which listings each one made, so that it can be undone.

CREATE TABLE catalogue_imports (
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The name of the file.
  name text NOT NULL CHECK (octet_length(name) <= 400),
  created_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz,
  PRIMARY KEY (id)
);

ALTER TABLE projects ADD COLUMN import_id bigint REFERENCES catalogue_imports(id);
CREATE INDEX projects_import_id_idx ON projects (import_id, id) WHERE import_id IS NOT NULL;
-- The catalogue in its order, for its export and for the job that keeps it listed.
CREATE INDEX projects_catalogue_idx ON projects (id) WHERE is_catalogue;
-- What a row of an import is compared with.
CREATE INDEX projects_coin_type_idx ON projects (coin_type) WHERE coin_type IS NOT NULL;
CREATE INDEX projects_website_idx ON projects (lower(website)) WHERE website IS NOT NULL;
CREATE INDEX projects_twitter_handle_idx ON projects (lower(twitter_handle));
