-- The moment at which a period starts belongs to that period.
CREATE OR REPLACE FUNCTION period_at(starts timestamptz[], moment timestamptz) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(width_bucket(moment, starts), 1);
