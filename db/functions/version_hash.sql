-- The same as versionHash of record/entries/sealed.ts.
CREATE OR REPLACE FUNCTION version_hash(salt bytea, name text, handle text, website text, category text, description text, picture text) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN sha256(convert_to('snapswipe version v1', 'UTF8') || '\x0a'::bytea || salt || (
    SELECT string_agg(int4send(octet_length(b.bytes)) || b.bytes, ''::bytea ORDER BY t.place)
    FROM unnest(ARRAY[name, handle, website, category, description, picture]) WITH ORDINALITY AS t(text, place)
    CROSS JOIN LATERAL (SELECT convert_to(coalesce(t.text, ''), 'UTF8') AS bytes) b));
