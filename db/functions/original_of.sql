-- A coin type or package by the first version of its package (R71), where that is known.
CREATE OR REPLACE FUNCTION original_of(name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT p.original_id FROM packages p WHERE p.id = left(name, 66)), left(name, 66)) || substr(name, 67)
$$;
