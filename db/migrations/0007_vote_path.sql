-- A vote without the index on everybody's total: it made every vote write two index entries more and kept PostgreSQL from updating
-- the counters in place, for a list that shows ten people.

-- Everybody who may be among the first: a hundred at least, and those who have been overtaken since. The list is read with the
-- totals of user_stats; the total here, as of when it rose, only says who is let in. As votes are never taken back, nobody comes up
-- but by voting. Where somebody takes totals away by hand, the other ninety stand in until the hourly job has chosen again.
CREATE TABLE leaders (
  user_id bigint PRIMARY KEY,
  total int NOT NULL
);
CREATE INDEX leaders_total_idx ON leaders (total DESC, user_id);

-- Lets the first hundred in and all others out. Reads all of user_stats. In order of user_id, as votes do; what is being voted on
-- meanwhile is left as it is.
CREATE FUNCTION choose_leaders() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_hundredth leaders;
BEGIN
  DELETE FROM leaders WHERE user_id IN (
    SELECT l.user_id FROM leaders l WHERE NOT EXISTS (SELECT FROM user_stats u WHERE u.user_id = l.user_id)
    ORDER BY l.user_id FOR UPDATE OF l SKIP LOCKED);
  UPDATE leaders l SET total = u.total FROM (
    SELECT k.user_id, u.total FROM leaders k JOIN user_stats u ON u.user_id = k.user_id WHERE u.total <> k.total
    ORDER BY k.user_id FOR UPDATE OF k SKIP LOCKED
  ) u WHERE l.user_id = u.user_id;
  INSERT INTO leaders AS l (user_id, total)
  SELECT f.user_id, f.total
  FROM (SELECT user_id, total FROM user_stats WHERE total > 0 ORDER BY total DESC, user_id LIMIT 100) f
  ORDER BY f.user_id
  ON CONFLICT (user_id) DO NOTHING;
  SELECT * INTO v_hundredth FROM leaders ORDER BY total DESC, user_id OFFSET 99 LIMIT 1;
  DELETE FROM leaders WHERE user_id IN (
    SELECT l.user_id FROM leaders l
    WHERE l.total < v_hundredth.total OR (l.total = v_hundredth.total AND l.user_id > v_hundredth.user_id)
    ORDER BY l.user_id FOR UPDATE SKIP LOCKED);
END $$;
SELECT choose_leaders();

DROP INDEX user_stats_total_idx;

CREATE OR REPLACE FUNCTION user_stats_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_users bigint[];
  v_highest int;
  v_hundredth leaders;
BEGIN
  SELECT array_agg(user_id), max(total) INTO v_users, v_highest FROM changed WHERE TG_OP = 'UPDATE' OR total > 0;
  IF v_users IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    -- in order of total, here and below: all writers lock the histogram's rows in the same order
    INSERT INTO vote_totals AS t SELECT total, count(*) FROM changed WHERE total > 0 GROUP BY total ORDER BY total
    ON CONFLICT (total) DO UPDATE SET users = t.users + excluded.users;
  ELSE
    INSERT INTO vote_totals AS t
    SELECT total, sum(delta) FROM (SELECT total, 1 AS delta FROM changed UNION ALL SELECT total, -1 FROM previous) d
    WHERE total > 0 GROUP BY total HAVING sum(delta) <> 0 ORDER BY total
    ON CONFLICT (total) DO UPDATE SET users = t.users + excluded.users;
  END IF;
  -- Lets those in who have come up to the hundredth.
  SELECT * INTO v_hundredth FROM leaders ORDER BY total DESC, user_id OFFSET 99 LIMIT 1;
  IF v_highest >= coalesce(v_hundredth.total, 1) THEN
    INSERT INTO leaders AS l (user_id, total)
    SELECT c.user_id, c.total FROM changed c
    WHERE c.total > 0 AND (v_hundredth.total IS NULL OR c.total > v_hundredth.total
      OR (c.total = v_hundredth.total AND c.user_id <= v_hundredth.user_id))
    ORDER BY c.user_id
    ON CONFLICT (user_id) DO UPDATE SET total = excluded.total WHERE l.total <> excluded.total;
  END IF;
  PERFORM tell_servers('u', v_users);
  RETURN NULL;
END $$;

-- As before, but for four things. One pass: the row of the user is locked by the update that counts the vote, and what the others
-- need comes out of it. No joins: each vote looks its rows up by key, so the plan is the same whatever the statistics say. At most
-- one vote of a user counts in a call, the first: whoever calls sends the others again (status 0). And why votes did not count is
-- asked only when some did not.
--
-- A row for every vote, `ord` its place in the arrays. status: 200 counted, 401 no such session, 412 the session of another user,
-- 404 no such project, 403 the voter's own project, 409 voted before, 410 expired, 429 the window is full, 0 send it again. The
-- counters are those of the user after this vote.
CREATE OR REPLACE FUNCTION cast_votes(p_token bytea[], p_user bigint[], p_project bigint[], p_bullish boolean[],
                           p_limit int, p_window interval, p_reward int)
RETURNS TABLE (ord int, status int, total int, bullish int, bearish int, streak int, balance bigint, earned bigint,
               window_votes int, window_started_at timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := clock_timestamp();
  v_day int := extract(epoch FROM v_now)::bigint / 86400;
  v_counted int;
BEGIN
  RETURN QUERY
  WITH counted AS (
    -- In order of user_id, as the index has them: all batches lock users in the same order. Where another transaction had the
    -- row, PostgreSQL checks the conditions again with what that one left; a vote that it cast itself then breaks the key of
    -- votes (23505), and the batch is sent again.
    UPDATE user_stats u SET
      total = u.total + 1,
      bullish = u.bullish + p_bullish[array_position(p_user, u.user_id)]::int,
      bearish = u.bearish + 1 - p_bullish[array_position(p_user, u.user_id)]::int,
      balance = u.balance + p_reward,
      earned = u.earned + p_reward,
      -- a day later than ours: written by somebody for whom we waited over midnight
      streak = CASE WHEN u.last_day >= v_day THEN u.streak WHEN u.last_day = v_day - 1 THEN u.streak + 1 ELSE 1 END,
      last_day = greatest(u.last_day, v_day),
      window_votes = CASE WHEN u.window_started_at + p_window > v_now THEN u.window_votes ELSE 0 END + 1,
      window_started_at = CASE WHEN u.window_started_at + p_window > v_now THEN u.window_started_at ELSE v_now END
    WHERE u.user_id = ANY (p_user)
      AND (u.window_votes < p_limit OR u.window_started_at IS NULL OR u.window_started_at + p_window <= v_now)
      AND (SELECT s.user_id FROM sessions s
           WHERE s.token_hash = p_token[array_position(p_user, u.user_id)] AND s.expires_at > v_now) = u.user_id
      AND (SELECT p.owner_id FROM projects p
           WHERE p.id = p_project[array_position(p_user, u.user_id)] AND p.hidden_at IS NULL AND p.expires_at > v_now) <> u.user_id
      AND (SELECT true FROM votes v
           WHERE v.user_id = u.user_id AND v.project_id = p_project[array_position(p_user, u.user_id)]) IS NULL
    RETURNING array_position(p_user, u.user_id) AS ord, u.user_id, p_project[array_position(p_user, u.user_id)] AS project_id,
      p_bullish[array_position(p_user, u.user_id)] AS bull, u.total, u.bullish, u.bearish, u.streak, u.balance, u.earned,
      u.window_votes::int AS window_votes, u.window_started_at
  ), new_project_stats AS (
    -- First in this list, because PostgreSQL carries out writes that nothing reads from last to first: the rows that many
    -- batches want are locked at the very end.
    INSERT INTO project_stats AS ps (project_id, bullish, bearish)
    SELECT project_id, count(*) FILTER (WHERE bull), count(*) FILTER (WHERE NOT bull) FROM counted GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET bullish = ps.bullish + excluded.bullish, bearish = ps.bearish + excluded.bearish
  ), new_votes AS (
    INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
    SELECT user_id, project_id, bull, p_reward, v_now FROM counted
  ), new_ledger AS (
    INSERT INTO token_ledger (user_id, kind, ref, amount, created_at)
    SELECT user_id, 1, project_id, p_reward, v_now FROM counted
  )
  SELECT c.ord, 200, c.total, c.bullish, c.bearish, c.streak, c.balance, c.earned, c.window_votes, c.window_started_at FROM counted c;
  GET DIAGNOSTICS v_counted = ROW_COUNT;
  IF v_counted = cardinality(p_user) THEN RETURN; END IF;

  RETURN QUERY
  SELECT o.ord::int,
    CASE
      WHEN s.user_id IS NULL THEN 401
      WHEN s.user_id <> o.user_id THEN 412
      WHEN u.user_id IS NULL THEN 401
      WHEN p.id IS NULL OR p.hidden_at IS NOT NULL THEN 404
      WHEN p.owner_id = o.user_id THEN 403
      WHEN v.user_id IS NOT NULL THEN 409
      WHEN p.expires_at <= v_now THEN 410
      WHEN u.window_started_at + p_window > v_now AND u.window_votes >= p_limit THEN 429
      ELSE 0
    END,
    u.total, u.bullish, u.bearish, CASE WHEN u.last_day >= v_day - 1 THEN u.streak ELSE 0 END, u.balance, u.earned,
    CASE WHEN u.window_started_at + p_window > v_now THEN u.window_votes::int ELSE 0 END,
    CASE WHEN u.window_started_at + p_window > v_now THEN u.window_started_at END
  FROM unnest(p_token, p_user, p_project, p_bullish) WITH ORDINALITY AS o(token, user_id, project_id, bull, ord)
  LEFT JOIN LATERAL (SELECT x.user_id, x.created_at FROM votes x WHERE x.user_id = o.user_id AND x.project_id = o.project_id OFFSET 0) v ON true
  LEFT JOIN LATERAL (SELECT x.user_id FROM sessions x WHERE x.token_hash = o.token AND x.expires_at > v_now OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT x.id, x.hidden_at, x.owner_id, x.expires_at FROM projects x WHERE x.id = o.project_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (SELECT x.* FROM user_stats x WHERE x.user_id = o.user_id OFFSET 0) u ON true
  -- but for the votes that this very call has counted
  WHERE NOT coalesce(v.created_at = v_now AND o.ord = array_position(p_user, o.user_id), false);
END $$;
