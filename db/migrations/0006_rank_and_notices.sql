-- The rank histogram, and notices of every change that a server may hold in memory. Both are kept by triggers, so that no
-- writer can forget them: not the votes, not an action, not the admin's SQL console, not psql.

-- How many users have cast exactly so many votes: the rank of a user is one more than the users of all higher totals. At most
-- as many rows as there are projects, whatever the number of users.
CREATE TABLE vote_totals (
  total int PRIMARY KEY,
  -- Never negative; not a CHECK, which would see the negative difference before it is added.
  users bigint NOT NULL
) WITH (fillfactor = 25);
INSERT INTO vote_totals SELECT total, count(*) FROM user_stats WHERE total > 0 GROUP BY total;

-- Tells the servers that listen what to forget: '<kind>:<ids>', or '<kind>:*' when that would not fit into a notice. Kinds: u
-- counters of users, n profiles of users, s sessions of users, p projects, c their vote counts, r reviews of projects. Delivered
-- after the commit; equal notices of a transaction are delivered once.
CREATE FUNCTION tell_servers(kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pg_notify('snapswipe', kind || ':' || CASE WHEN cardinality(ids) <= 300 THEN array_to_string(ids, ',') ELSE '*' END);
  END IF;
END $$;

CREATE FUNCTION user_stats_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- in order of total, here and below: all writers lock the histogram's rows in the same order
    INSERT INTO vote_totals AS t SELECT total, count(*) FROM changed WHERE total > 0 GROUP BY total ORDER BY total
    ON CONFLICT (total) DO UPDATE SET users = t.users + excluded.users;
    PERFORM tell_servers('u', (SELECT array_agg(user_id) FROM changed WHERE total > 0));
  ELSE
    INSERT INTO vote_totals AS t
    SELECT total, sum(delta) FROM (SELECT total, 1 AS delta FROM changed UNION ALL SELECT total, -1 FROM previous) d
    WHERE total > 0 GROUP BY total HAVING sum(delta) <> 0 ORDER BY total
    ON CONFLICT (total) DO UPDATE SET users = t.users + excluded.users;
    PERFORM tell_servers('u', (SELECT array_agg(user_id) FROM changed));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER user_stats_inserted AFTER INSERT ON user_stats
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
CREATE TRIGGER user_stats_updated AFTER UPDATE ON user_stats
  REFERENCING NEW TABLE AS changed OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();

CREATE FUNCTION user_stats_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE vote_totals t SET users = t.users - d.users
  FROM (SELECT total, count(*) AS users FROM previous WHERE total > 0 GROUP BY total) d WHERE d.total = t.total;
  PERFORM tell_servers('u', (SELECT array_agg(user_id) FROM previous));
  RETURN NULL;
END $$;
CREATE TRIGGER user_stats_deleted AFTER DELETE ON user_stats
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION user_stats_deleted();

CREATE FUNCTION projects_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('snapswipe', TG_ARGV[0] || ':*');
  RETURN NULL;
END $$;
CREATE TRIGGER projects_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON projects
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER project_stats_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON project_stats
  FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');

CREATE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_servers('n', (SELECT array_agg(id) FROM previous));
  RETURN NULL;
END $$;
CREATE TRIGGER users_updated AFTER UPDATE ON users
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();
CREATE TRIGGER users_deleted AFTER DELETE ON users
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();

CREATE FUNCTION sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_servers('s', (SELECT array_agg(DISTINCT user_id) FROM previous));
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION sessions_changed();
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION sessions_changed();

CREATE FUNCTION reviews_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_servers('r', (SELECT array_agg(DISTINCT project_id) FROM changed));
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_inserted AFTER INSERT ON reviews
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();
CREATE TRIGGER reviews_updated AFTER UPDATE ON reviews
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();
CREATE TRIGGER reviews_deleted AFTER DELETE ON reviews
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();

-- As before (0002), but for three things. 412: the session is another user's. The counters of projects come first in the list of
-- writes, because PostgreSQL carries out writes that nothing reads from last to first: the rows that many batches want are
-- locked at the very end. And each row is looked up by itself through its key (LATERAL … OFFSET 0), or by where it lies (ctid: the
-- row is locked by then), whatever the statistics say: the plan is kept, and one made while the tables are empty would read all
-- votes for each batch when they no longer are.
CREATE OR REPLACE FUNCTION cast_votes(p_token bytea[], p_user bigint[], p_project bigint[], p_bullish boolean[],
                           p_limit int, p_window interval, p_reward int)
RETURNS TABLE (ord int, status int, total int, bullish int, bearish int, streak int, balance bigint, earned bigint,
               window_votes int, window_started_at timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
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
        WHEN s.user_id IS NULL THEN 401
        WHEN s.user_id <> o.user_id THEN 412
        WHEN us.user_id IS NULL THEN 401
        WHEN p.id IS NULL OR p.hidden_at IS NOT NULL THEN 404
        WHEN p.owner_id = o.user_id THEN 403
        WHEN v.user_id IS NOT NULL THEN 409
        WHEN p.expires_at <= v_now THEN 410
        -- a second vote of the same batch on the same project: only the first with a valid session counts
        WHEN row_number() OVER (PARTITION BY o.user_id, o.project_id ORDER BY (s.user_id IS DISTINCT FROM o.user_id), o.ord) > 1 THEN 409
        ELSE 200
      END AS verdict,
      us.place, us.total, us.bullish, us.bearish, us.balance, us.earned, us.streak, us.last_day,
      us.window_started_at + p_window > v_now AS window_open,
      us.window_started_at,
      CASE WHEN us.window_started_at + p_window > v_now THEN us.window_votes ELSE 0 END AS used
    FROM offered o
    LEFT JOIN LATERAL (SELECT x.user_id FROM sessions x WHERE x.token_hash = o.token AND x.expires_at > v_now OFFSET 0) s ON true
    LEFT JOIN LATERAL (SELECT x.id, x.hidden_at, x.owner_id, x.expires_at FROM projects x WHERE x.id = o.project_id OFFSET 0) p ON true
    LEFT JOIN LATERAL (SELECT x.ctid AS place, x.* FROM user_stats x WHERE x.user_id = o.user_id OFFSET 0) us ON true
    LEFT JOIN LATERAL (SELECT x.user_id FROM votes x WHERE x.user_id = o.user_id AND x.project_id = o.project_id OFFSET 0) v ON true
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
  ), new_project_stats AS (
    INSERT INTO project_stats AS ps (project_id, bullish, bearish)
    SELECT project_id, count(*) FILTER (WHERE bull), count(*) FILTER (WHERE NOT bull) FROM accepted GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET bullish = ps.bullish + excluded.bullish, bearish = ps.bearish + excluded.bearish
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
    FROM (SELECT place, count(*)::int AS n, (count(*) FILTER (WHERE bull))::int AS n_bull FROM accepted GROUP BY place) d
    WHERE u.ctid = d.place
  )
  SELECT c.ord, c.final, c.total + c.n, c.bullish + c.n_bull, c.bearish + c.n - c.n_bull,
    CASE WHEN c.n = 0 THEN CASE WHEN c.last_day >= v_day - 1 THEN c.streak ELSE 0 END
         WHEN c.last_day = v_day THEN c.streak WHEN c.last_day = v_day - 1 THEN c.streak + 1 ELSE 1 END,
    c.balance + p_reward * c.n, c.earned + p_reward * c.n, (c.used + c.n)::int,
    CASE WHEN c.window_open THEN c.window_started_at WHEN c.n > 0 THEN v_now END
  FROM counted c;
END $$;
