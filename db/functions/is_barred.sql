-- True if a deleted account of the same wallet voted in that period or listed the project (R67); without a period, permanently.
CREATE OR REPLACE FUNCTION is_barred(p_projects int[], p_periods smallint[], p_project bigint, p_period int) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN p_project = ANY (p_projects) AND coalesce(p_periods[array_position(p_projects, p_project::int)], 32767) >= p_period;
