-- What the feed (R11) reads, so that neither the number of projects nor the number of those that have ended makes it slow.

-- False once a project is seen to be hidden or to have expired. An index cannot ask for the time, so it holds what is listed,
-- and queries look at expires_at as well: a row that is still listed although it has just expired costs them a step, and is
-- never shown. Every active project is listed, whoever writes to the table.
ALTER TABLE projects ADD COLUMN listed boolean NOT NULL DEFAULT true;
UPDATE projects SET listed = false WHERE hidden_at IS NOT NULL OR expires_at <= now();

CREATE FUNCTION list_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed := NEW.hidden_at IS NULL AND NEW.expires_at > now();
  RETURN NEW;
END $$;
CREATE TRIGGER projects_listed BEFORE INSERT OR UPDATE OF hidden_at, expires_at ON projects
  FOR EACH ROW EXECUTE FUNCTION list_project();

-- The feed is a walk along this index: a fixed place for each project that has nothing to do with its age or its name.
-- It answers without the table, for which the planner has to find the bare id beside its hash.
CREATE INDEX projects_feed_idx ON projects (hashint8extended(id, 0)) INCLUDE (id, owner_id, expires_at) WHERE listed;
-- Which of the projects somebody voted on are still listed.
CREATE INDEX projects_listed_id_idx ON projects (id) INCLUDE (owner_id, expires_at) WHERE listed;
-- How many are listed, of everybody and of one owner; and which have expired since.
CREATE INDEX projects_listed_expires_at_idx ON projects (expires_at) WHERE listed;
CREATE INDEX projects_listed_owner_idx ON projects (owner_id, expires_at) WHERE listed;
DROP INDEX projects_expires_at_idx;

-- The feed of a user (R11): ids of the first p_limit active projects that they neither own nor have voted on, on a walk round
-- projects_feed_idx that starts at another place for each user and day (days since 1970, UTC); and on each row how many there are in all.
-- A function, because its plan is then made once per connection: making it takes as long as running it.
CREATE FUNCTION feed_of(p_user bigint, p_day bigint, p_limit int) RETURNS TABLE (id bigint, total bigint)
LANGUAGE plpgsql STABLE ROWS 50 AS $$
#variable_conflict use_column
DECLARE
  v_start bigint := hashint8extended(p_user, p_day);
BEGIN
  RETURN QUERY
  WITH voted AS MATERIALIZED (
    SELECT p.id FROM votes v JOIN projects p ON p.id = v.project_id
    WHERE v.user_id = p_user AND p.listed AND p.expires_at > now() AND p.owner_id <> p_user
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
