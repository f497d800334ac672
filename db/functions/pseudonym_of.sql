-- The same as in record/entries/secrets.ts.
CREATE OR REPLACE FUNCTION pseudonym_of(secret bytea, project_id bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substr(sha256(secret || int8send(project_id)), 1, 16);
