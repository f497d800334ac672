-- Names that people cannot distinguish have one key, which listings may not share. Expired listings keep their names for a renewal, hidden ones
-- do not, and drafts, which are free, reserve none: a name taken after the last check makes the payment unclaimed.
CREATE OR REPLACE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN btrim(regexp_replace(translate(normalize(lower(normalize(without_invisible(name), NFKC)), NFKC), 'ς', 'σ'),
    '[\s\u0085\u1680\u2028\u2029]+', ' ', 'g'));

-- Not unique: hidden listings may share a name. Read under the lock of names (server/listings/projects/slugs.ts).
DROP INDEX IF EXISTS projects_name_key_idx;
CREATE INDEX projects_name_key_idx ON projects (name_key(name)) WHERE hidden_at IS NULL;
