-- Counts many votes in one statement and one commit. Returns a row for every vote, `ord` its place in the arrays; the
-- counters are those of the user after this vote. shared/voting/vote-rejections.ts maps the outcomes to responses.
--
-- One pass: the update that counts the vote locks the row of the user and returns what the other writes need. At most
-- one vote of a user counts in a call, the first; the caller sends the others again (send_again). The reasons are
-- looked up only when some votes did not count.
--
-- p_identity: the identity of each project that its voter saw (R60), 0 if the call names none; NULL for none at all.
--
-- No joins: each vote looks its rows up by key, so the plan is independent of the statistics. The plan is cached, and
-- one made while the tables are empty would later read all votes for each batch. docs/build/decisions/0014-vote-path.md
CREATE OR REPLACE FUNCTION cast_votes(p_token bytea[], p_user bigint[], p_project bigint[], p_bullish boolean[],
                           p_limit int, p_window interval, p_identity bigint[] DEFAULT NULL)
RETURNS TABLE (ord int, outcome vote_outcome, total_votes int, bullish int, bearish int, streak int, balance bigint, tokens_earned bigint,
               window_votes int, window_started_at timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  -- The window ends by the clock that voters see, even while votes are dated later than it.
  v_clock timestamptz := clock_timestamp();
  v_now timestamptz := vote_time(v_clock);
  v_day date := (v_now AT TIME ZONE 'UTC')::date;
  v_counted int;
BEGIN
  RETURN QUERY
  WITH counted AS (
    -- In order of user_id, as in the index, so that all batches lock users in the same order. Where another transaction
    -- had locked the row, PostgreSQL checks the conditions again on its new version. A vote that the other transaction
    -- cast itself then violates the key of votes (23505), and the batch is sent again.
    UPDATE user_stats u SET
      total_votes = u.total_votes + 1,
      bullish = u.bullish + p_bullish[array_position(p_user, u.user_id)]::int,
      bearish = u.bearish + 1 - p_bullish[array_position(p_user, u.user_id)]::int,
      balance = u.balance + 10,
      tokens_earned = u.tokens_earned + 10,
      -- a later day than ours: written by a transaction that this one waited for over midnight
      streak = CASE WHEN u.last_day >= v_day THEN u.streak WHEN u.last_day = v_day - 1 THEN u.streak + 1 ELSE 1 END,
      last_day = greatest(u.last_day, v_day),
      window_votes = CASE WHEN u.window_started_at + p_window > v_clock THEN u.window_votes ELSE 0 END + 1,
      window_started_at = CASE WHEN u.window_started_at + p_window > v_clock THEN u.window_started_at ELSE v_clock END,
      -- ends the undo of the vote before (R59)
      undoable_from = v_now
    WHERE u.user_id = ANY (p_user)
      AND (u.window_votes < p_limit OR u.window_started_at IS NULL OR u.window_started_at + p_window <= v_clock)
      AND (SELECT s.user_id FROM sessions s
           WHERE s.token_hash = p_token[array_position(p_user, u.user_id)] AND s.expires_at > v_now) = u.user_id
      -- Which votes count on this project. From the second period on, a vote that this statement does not see could be
      -- the one to replace, or have been undone; then the row of the user has changed since.
      AND (SELECT p.owner_id FROM projects p
           WHERE p.id = p_project[array_position(p_user, u.user_id)] AND p.hidden_at IS NULL AND p.expires_at > v_now
             -- Every voter has seen the first identity of a project that never changed: no position is looked up.
             AND (p.identity = 1 OR coalesce(p_identity[array_position(p_user, u.user_id)], 0) IN (0, p.identity))
             AND (u.barred_projects IS NULL OR NOT is_barred(u.barred_projects, u.barred_periods, p.id, period_at(p.period_starts, v_now)))
             AND (SELECT true FROM votes v
                  WHERE v.user_id = u.user_id AND v.project_id = p.id::int AND v.period = period_at(p.period_starts, v_now)) IS NULL
             AND (period_at(p.period_starts, v_now) = 1 OR u.ctid = (SELECT x.ctid FROM user_stats x WHERE x.user_id = u.user_id))
          ) <> u.user_id
    RETURNING array_position(p_user, u.user_id) AS ord, u.user_id, u.total_votes, u.bullish, u.bearish, u.streak, u.balance, u.tokens_earned,
      u.window_votes::int AS window_votes, u.window_started_at
  ), voted AS (
    -- Joins by position: array_position reads the array up to it.
    SELECT c.user_id, p_project[c.ord] AS project_id, p_bullish[c.ord] AS bull,
      (SELECT period_at(p.period_starts, v_now) FROM projects p WHERE p.id = p_project[c.ord]) AS period
    FROM counted c
  ), replaced AS (
    -- The newest opinion of a user counts: the last vote of the earlier periods, or the last change of it. Both are found by their keys.
    SELECT project_id, count(*) FILTER (WHERE bull) AS bullish, count(*) FILTER (WHERE NOT bull) AS bearish
    FROM (
      SELECT project_id, (SELECT coalesce((SELECT h.bullish FROM vote_changes h
          WHERE h.user_id = v.user_id AND h.project_id = v.project_id AND h.period = v.period ORDER BY h.said_on DESC LIMIT 1), v.bullish)
        FROM votes v
        WHERE v.user_id = c.user_id AND v.project_id = c.project_id AND v.period < c.period ORDER BY v.period DESC LIMIT 1) AS bull
      FROM voted c WHERE c.period > 1
    ) earlier GROUP BY project_id
  ), new_project_stats AS (
    -- First in this list, because PostgreSQL executes writes that nothing reads from last to first: the rows that many
    -- batches need are locked at the very end.
    INSERT INTO project_stats AS ps (project_id, bullish, bearish)
    SELECT project_id, count(*) FILTER (WHERE bull), count(*) FILTER (WHERE NOT bull) FROM voted GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET
      bullish = ps.bullish + excluded.bullish - coalesce((SELECT r.bullish FROM replaced r WHERE r.project_id = ps.project_id), 0),
      bearish = ps.bearish + excluded.bearish - coalesce((SELECT r.bearish FROM replaced r WHERE r.project_id = ps.project_id), 0)
  ), new_votes AS (
    -- The vote is the ledger entry of its reward, in the view ledger_entries.
    INSERT INTO votes (user_id, created_at, project_id, period, bullish)
    SELECT user_id, v_now, project_id, period, bull FROM voted
  )
  SELECT c.ord, 'counted'::vote_outcome, c.total_votes, c.bullish, c.bearish, c.streak, c.balance, c.tokens_earned, c.window_votes, c.window_started_at FROM counted c;
  GET DIAGNOSTICS v_counted = ROW_COUNT;
  IF v_counted = cardinality(p_user) THEN RETURN; END IF;

  RETURN QUERY
  SELECT o.ord::int,
    (CASE
      WHEN s.user_id IS NULL THEN 'not_signed_in'
      WHEN s.user_id <> o.user_id THEN 'not_yours'
      WHEN u.user_id IS NULL THEN 'not_signed_in'
      WHEN p.id IS NULL OR p.hidden_at IS NOT NULL THEN 'project_not_found'
      WHEN p.owner_id = o.user_id THEN 'own_project'
      WHEN v.user_id IS NOT NULL OR is_barred(u.barred_projects, u.barred_periods, p.id, p.period) THEN 'already_voted'
      WHEN p.expires_at <= v_now THEN 'project_expired'
      WHEN coalesce(p_identity[o.ord], 0) NOT IN (0, p.identity) THEN 'renamed'
      WHEN u.window_started_at + p_window > v_clock AND u.window_votes >= p_limit THEN 'vote_limit'
      ELSE 'send_again'
    END)::vote_outcome,
    u.total_votes, u.bullish, u.bearish, CASE WHEN u.last_day >= v_day - 1 THEN u.streak ELSE 0 END, u.balance, u.tokens_earned,
    CASE WHEN u.window_started_at + p_window > v_clock THEN u.window_votes::int ELSE 0 END,
    CASE WHEN u.window_started_at + p_window > v_clock THEN u.window_started_at END
  FROM unnest(p_token, p_user, p_project, p_bullish) WITH ORDINALITY AS o(token, user_id, project_id, bull, ord)
  LEFT JOIN LATERAL (SELECT x.user_id FROM sessions x WHERE x.token_hash = o.token AND x.expires_at > v_now OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT x.id, x.hidden_at, x.owner_id, x.expires_at, x.identity, period_at(x.period_starts, v_now) AS period FROM projects x
    WHERE x.id = o.project_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (SELECT x.user_id, x.created_at FROM votes x
    WHERE x.user_id = o.user_id AND x.project_id = o.project_id AND x.period = p.period OFFSET 0) v ON true
  LEFT JOIN LATERAL (SELECT x.* FROM user_stats x WHERE x.user_id = o.user_id OFFSET 0) u ON true
  -- except the votes that this call has counted
  WHERE NOT coalesce(v.created_at = v_now AND o.ord = array_position(p_user, o.user_id), false);
END $$;
