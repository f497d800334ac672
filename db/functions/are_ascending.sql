CREATE OR REPLACE FUNCTION are_ascending(moments timestamptz[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN cardinality(moments) > 0 AND array_ndims(moments) = 1 AND array_position(moments, NULL) IS NULL
    AND moments = ARRAY(SELECT DISTINCT m FROM unnest(moments) m ORDER BY m);

ALTER TABLE projects DROP CONSTRAINT IF EXISTS projects_period_starts_check;
ALTER TABLE projects ADD CONSTRAINT projects_period_starts_check CHECK (are_ascending(period_starts));
