-- p_identity is the project's present identity (R60).
CREATE OR REPLACE FUNCTION identity_at(p_project bigint, p_identity int, p_moment timestamptz) RETURNS int LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN p_identity = 1 THEN 1 ELSE coalesce((
    SELECT v.identity FROM listing_versions v WHERE v.project_id = p_project AND v.created_at <= p_moment ORDER BY v.number DESC LIMIT 1), 1) END;
