-- A coin type or package with the id of the first version of its package (R71), if that is known.
CREATE OR REPLACE FUNCTION original_of(name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT p.original_id FROM packages p WHERE p.id = left(name, 66)), left(name, 66)) || substr(name, 67)
$$;
