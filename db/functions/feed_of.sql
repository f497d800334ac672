-- The feed of a user (R11): a walk around projects_feed_idx from a place that depends on user and day (days since 1970, UTC), and the total.
-- A function, because planning takes as long as execution and happens once per connection.
CREATE OR REPLACE FUNCTION feed_of(p_user bigint, p_day bigint, p_limit int) RETURNS TABLE (id bigint, total bigint)
LANGUAGE plpgsql STABLE ROWS 50 AS $$
#variable_conflict use_column
DECLARE
  v_start bigint := hashint8extended(p_user, p_day);
BEGIN
  RETURN QUERY
  WITH voted AS MATERIALIZED (
    SELECT p.id FROM votes v JOIN projects p ON p.id = v.project_id
    WHERE v.user_id = p_user AND v.period = period_at(p.period_starts, now()) AND p.listed AND p.expires_at > now() AND p.owner_id <> p_user
    UNION
    SELECT p.id FROM user_stats u JOIN projects p ON p.id = ANY (u.barred_projects)
    WHERE u.user_id = p_user AND p.listed AND p.expires_at > now() AND p.owner_id <> p_user
      AND is_barred(u.barred_projects, u.barred_periods, p.id, period_at(p.period_starts, now()))
  ), ahead AS MATERIALIZED (
    SELECT p.id FROM projects p
    WHERE p.listed AND p.expires_at > now() AND p.owner_id <> p_user AND p.id NOT IN (SELECT voted.id FROM voted)
      AND hashint8extended(p.id, 0) >= v_start
    ORDER BY hashint8extended(p.id, 0) LIMIT p_limit
  ), round AS (
    SELECT p.id FROM projects p
    WHERE p.listed AND p.expires_at > now() AND p.owner_id <> p_user AND p.id NOT IN (SELECT voted.id FROM voted)
      AND hashint8extended(p.id, 0) < v_start
    ORDER BY hashint8extended(p.id, 0) LIMIT p_limit - (SELECT count(*) FROM ahead)
  )
  SELECT walk.id,
    (SELECT count(*) FROM projects WHERE listed AND expires_at > now())
    - (SELECT count(*) FROM projects WHERE listed AND expires_at > now() AND owner_id = p_user)
    - (SELECT count(*) FROM voted)
  FROM (SELECT ahead.id FROM ahead UNION ALL SELECT round.id FROM round) walk;
END $$;
