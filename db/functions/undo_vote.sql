-- Takes back the newest vote of a user within p_window after it was cast (R46): counters, reward, window and streak are as they were before
-- it, and in a later listing period the earlier vote counts again. The next vote, or a look at the result, ends the undo (R59,
-- user_stats.undoable_from). server/votes/undo.ts maps the outcomes to responses.
--
-- At most ten undos of a user in any six hours (R59; UNDOS_PER_WINDOW and UNDO_WINDOW_HOURS of shared/constants.ts).
-- Each one leaves two rows for good and gives its place in the window back, so the window does not bound them. The
-- tenth newest is found on an index.
--
-- The row of the user is locked first, as in a vote: other votes and undos of this user wait, and then decide by the
-- result of this one. It is written last, after the counters of the project: its trigger locks rows that votes lock
-- last, too.
CREATE OR REPLACE FUNCTION undo_vote(p_user bigint, p_project bigint, p_window interval) RETURNS undo_outcome LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_stats user_stats;
  v_vote votes;
  v_earlier boolean;
  v_undone bigint;
  v_day date;
BEGIN
  SELECT * INTO v_stats FROM user_stats u WHERE u.user_id = p_user FOR UPDATE;
  SELECT * INTO v_vote FROM votes v WHERE v.user_id = p_user AND v.project_id = p_project ORDER BY v.period DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT FROM undone_votes u WHERE u.user_id = p_user AND u.project_id = p_project) THEN 'too_late' ELSE 'no_vote' END;
  END IF;
  IF v_vote.created_at + p_window <= v_now OR v_vote.created_at < v_stats.undoable_from THEN RETURN 'too_late'; END IF;
  IF v_stats.balance < v_vote.tokens THEN RETURN 'spent'; END IF;
  IF (SELECT u.undone_at FROM undone_votes u WHERE u.user_id = p_user ORDER BY u.undone_at DESC OFFSET 9 LIMIT 1) > v_now - interval '6 hours' THEN
    RETURN 'too_many';
  END IF;
  SELECT v.bullish INTO v_earlier FROM votes v
  WHERE v.user_id = p_user AND v.project_id = v_vote.project_id AND v.period < v_vote.period ORDER BY v.period DESC LIMIT 1;

  INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
  VALUES (p_user, v_vote.created_at, v_now, v_vote.project_id, v_vote.tokens, v_vote.period, v_vote.bullish) RETURNING id INTO v_undone;
  INSERT INTO token_ledger (user_id, ref, amount, created_at, kind) VALUES (p_user, v_undone, -v_vote.tokens, v_now, 'vote_undone');
  DELETE FROM votes v WHERE v.user_id = p_user AND v.project_id = v_vote.project_id AND v.period = v_vote.period;
  UPDATE project_stats p SET
    bullish = p.bullish - v_vote.bullish::int + coalesce(v_earlier, false)::int,
    bearish = p.bearish - (NOT v_vote.bullish)::int + coalesce(NOT v_earlier, false)::int
  WHERE p.project_id = v_vote.project_id;

  -- The window: without its only vote it is closed.
  IF v_vote.created_at >= v_stats.window_started_at THEN v_stats.window_votes := v_stats.window_votes - 1; END IF;
  IF v_vote.created_at = v_stats.window_started_at THEN v_stats.window_started_at := NULL; END IF;
  -- The streak: as it was, unless the vote was the only one of its day.
  v_day := (v_vote.created_at AT TIME ZONE 'UTC')::date;
  IF NOT EXISTS (SELECT FROM votes v WHERE v.user_id = p_user AND (v.created_at AT TIME ZONE 'UTC')::date = v_day) THEN
    IF v_stats.streak > 1 THEN
      v_stats.streak := v_stats.streak - 1;
      v_stats.last_day := v_day - 1;
    ELSE
      v_stats.streak := 0;
      v_stats.last_day := (SELECT max((v.created_at AT TIME ZONE 'UTC')::date) FROM votes v WHERE v.user_id = p_user);
    END IF;
  END IF;
  UPDATE user_stats u SET
    total_votes = u.total_votes - 1, bullish = u.bullish - v_vote.bullish::int, bearish = u.bearish - (NOT v_vote.bullish)::int,
    balance = u.balance - v_vote.tokens, tokens_earned = u.tokens_earned - v_vote.tokens,
    peak_earned = greatest(u.peak_earned, u.tokens_earned), streak = v_stats.streak,
    last_day = v_stats.last_day, window_votes = v_stats.window_votes, window_started_at = v_stats.window_started_at
  WHERE u.user_id = p_user;
  RETURN 'undone';
END $$;
