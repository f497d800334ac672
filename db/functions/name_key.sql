-- The common form of names that people cannot distinguish: compatibility forms, case, white space, invisible
-- characters. Listings may not share this key, except that an expired listing keeps its name (a renewal must never fail
-- because of it) and a hidden one does not (an impersonated project can list). Look-alikes across scripts have a
-- separate key (server/listings/projects/look-alike-key.ts). A draft does not reserve its name: drafts are free, and one wallet
-- could block any number of names. The name is checked when a draft is stored and before its transaction is executed;
-- when it is taken after that, the payment becomes unclaimed.
CREATE OR REPLACE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN btrim(regexp_replace(translate(normalize(lower(normalize(without_invisible(name), NFKC)), NFKC), 'ς', 'σ'),
    '[\s\u0085\u1680\u2028\u2029]+', ' ', 'g'));

-- Rebuilt with the function whose values it stores. Not unique: two listings may have shared a name before, and one of
-- them may be hidden or shown again. Listing and renaming look here while they lock names (server/listings/projects/slugs.ts).
DROP INDEX IF EXISTS projects_name_key_idx;
CREATE INDEX projects_name_key_idx ON projects (name_key(name)) WHERE hidden_at IS NULL;
