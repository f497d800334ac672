-- Whether a user may not vote on a project in a listing period, because a deleted account of the same wallet voted on
-- it or listed it (R67): p_projects and p_periods are user_stats.barred_projects and barred_periods. Without a period,
-- the project is barred for good.
CREATE OR REPLACE FUNCTION is_barred(p_projects int[], p_periods smallint[], p_project bigint, p_period int) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN p_project = ANY (p_projects) AND coalesce(p_periods[array_position(p_projects, p_project::int)], 32767) >= p_period;
