-- Many votes in one call and one commit; outcomes as if they had been cast one after another in array order.
-- status: 200 counted, 401 no such session, 403 own project, 404 unknown or hidden, 409 voted before, 410 expired, 429 window full.
-- Locks: users in ascending order first, project counters last in ascending order, so that concurrent batches cannot deadlock.
-- The clock is read after the users are locked: a vote that waited for a lock is judged by the time at which it counts.
CREATE FUNCTION cast_votes(p_token bytea[], p_user bigint[], p_project bigint[], p_bullish boolean[],
                           p_limit int, p_window interval, p_reward int)
RETURNS TABLE (ord int, status int, total int, bullish int, bearish int, streak int, balance bigint, earned bigint,
               window_votes int, window_started_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_day int;
BEGIN
  PERFORM 1 FROM user_stats u WHERE u.user_id = ANY (p_user) ORDER BY u.user_id FOR UPDATE;
  v_now := clock_timestamp();
  v_day := extract(epoch FROM v_now)::bigint / 86400;
  RETURN QUERY
  WITH offered AS (
    SELECT i.token, i.user_id, i.project_id, i.bull, i.ord::int AS ord
    FROM unnest(p_token, p_user, p_project, p_bullish) WITH ORDINALITY AS i(token, user_id, project_id, bull, ord)
  ), checked AS (
    SELECT o.*,
      CASE
        WHEN s.user_id IS NULL OR us.user_id IS NULL THEN 401
        WHEN p.id IS NULL OR p.hidden_at IS NOT NULL THEN 404
        WHEN p.owner_id = o.user_id THEN 403
        WHEN v.user_id IS NOT NULL THEN 409
        WHEN p.expires_at <= v_now THEN 410
        -- a second vote of the same batch on the same project: only the first with a valid session counts
        WHEN row_number() OVER (PARTITION BY o.user_id, o.project_id ORDER BY (s.user_id IS NULL), o.ord) > 1 THEN 409
        ELSE 200
      END AS verdict,
      us.total, us.bullish, us.bearish, us.balance, us.earned, us.streak, us.last_day,
      us.window_started_at + p_window > v_now AS window_open,
      us.window_started_at,
      CASE WHEN us.window_started_at + p_window > v_now THEN us.window_votes ELSE 0 END AS used
    FROM offered o
    LEFT JOIN sessions s ON s.token_hash = o.token AND s.user_id = o.user_id AND s.expires_at > v_now
    LEFT JOIN projects p ON p.id = o.project_id
    LEFT JOIN user_stats us ON us.user_id = o.user_id
    LEFT JOIN votes v ON v.user_id = o.user_id AND v.project_id = o.project_id
  ), limited AS (
    SELECT c.*,
      CASE WHEN c.verdict = 200 AND c.used + count(*) FILTER (WHERE c.verdict = 200) OVER w > p_limit THEN 429 ELSE c.verdict END AS final
    FROM checked c WINDOW w AS (PARTITION BY c.user_id ORDER BY c.ord)
  ), counted AS (
    SELECT l.*,
      (count(*) FILTER (WHERE l.final = 200) OVER w)::int AS n,
      (count(*) FILTER (WHERE l.final = 200 AND l.bull) OVER w)::int AS n_bull
    FROM limited l WINDOW w AS (PARTITION BY l.user_id ORDER BY l.ord)
  ), accepted AS (
    SELECT * FROM counted WHERE final = 200
  ), new_votes AS (
    INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
    SELECT user_id, project_id, bull, p_reward, v_now FROM accepted
  ), new_ledger AS (
    INSERT INTO token_ledger (user_id, kind, ref, amount, created_at)
    SELECT user_id, 1, project_id, p_reward, v_now FROM accepted
  ), new_user_stats AS (
    UPDATE user_stats u SET
      total = u.total + d.n,
      bullish = u.bullish + d.n_bull,
      bearish = u.bearish + d.n - d.n_bull,
      balance = u.balance + p_reward * d.n,
      earned = u.earned + p_reward * d.n,
      streak = CASE WHEN u.last_day = v_day THEN u.streak WHEN u.last_day = v_day - 1 THEN u.streak + 1 ELSE 1 END,
      last_day = v_day,
      window_votes = CASE WHEN u.window_started_at + p_window > v_now THEN u.window_votes ELSE 0 END + d.n,
      window_started_at = CASE WHEN u.window_started_at + p_window > v_now THEN u.window_started_at ELSE v_now END
    FROM (SELECT user_id, count(*)::int AS n, (count(*) FILTER (WHERE bull))::int AS n_bull FROM accepted GROUP BY user_id) d
    WHERE u.user_id = d.user_id
  ), new_project_stats AS (
    INSERT INTO project_stats AS ps (project_id, bullish, bearish)
    SELECT project_id, count(*) FILTER (WHERE bull), count(*) FILTER (WHERE NOT bull) FROM accepted GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET bullish = ps.bullish + excluded.bullish, bearish = ps.bearish + excluded.bearish
  )
  SELECT c.ord, c.final, c.total + c.n, c.bullish + c.n_bull, c.bearish + c.n - c.n_bull,
    CASE WHEN c.n = 0 THEN CASE WHEN c.last_day >= v_day - 1 THEN c.streak ELSE 0 END
         WHEN c.last_day = v_day THEN c.streak WHEN c.last_day = v_day - 1 THEN c.streak + 1 ELSE 1 END,
    c.balance + p_reward * c.n, c.earned + p_reward * c.n, (c.used + c.n)::int,
    CASE WHEN c.window_open THEN c.window_started_at WHEN c.n > 0 THEN v_now END
  FROM counted c;
END $$;
