-- Undoes the newest vote of a user on a project (R46), or the newest change of it (R57), within p_window: counters, reward, window and streak are
-- as before. A later vote or change, or a look at the result, ends the undo (R59, user_stats.undoable_from).
--
-- At most ten undos in any six hours (UNDOS_PER_WINDOW and UNDO_WINDOW_HOURS of shared/constants.ts): an undo leaves rows for good and gives its
-- place in the window back.
--
-- The user's row is locked first, so that votes and undos take turns.
CREATE OR REPLACE FUNCTION undo_vote(p_user bigint, p_project bigint, p_window interval) RETURNS undo_outcome LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_stats user_stats;
  v_vote votes;
  v_change vote_changes;
  v_is_change boolean;
  v_said_at timestamptz;
  v_bullish boolean;
  v_tokens smallint;
  v_earlier boolean;
  v_undone bigint;
  v_day date;
BEGIN
  SELECT * INTO v_stats FROM user_stats u WHERE u.user_id = p_user FOR UPDATE;
  SELECT * INTO v_vote FROM votes v WHERE v.user_id = p_user AND v.project_id = p_project ORDER BY v.period DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT FROM undone_votes u WHERE u.user_id = p_user AND u.project_id = p_project) THEN 'too_late' ELSE 'vote_not_found' END;
  END IF;
  SELECT * INTO v_change FROM vote_changes c
  WHERE c.user_id = p_user AND c.project_id = p_project AND c.period = v_vote.period ORDER BY c.said_on DESC LIMIT 1;
  v_is_change := FOUND;
  IF v_is_change THEN
    v_said_at := v_change.said_at;
    v_bullish := v_change.bullish;
    v_tokens := 0;
    v_earlier := v_change.was_bullish;
  ELSE
    v_said_at := v_vote.created_at;
    v_bullish := v_vote.bullish;
    v_tokens := 10;
    SELECT o.bullish INTO v_earlier FROM opinions o
    WHERE o.user_id = p_user AND o.project_id = v_vote.project_id AND o.period < v_vote.period ORDER BY o.period DESC, o.said_at DESC LIMIT 1;
  END IF;
  IF v_said_at + p_window <= v_now OR v_said_at < v_stats.undoable_from OR v_said_at < (SELECT t.open_from FROM totals_state t WHERE t.id = 1) THEN
    RETURN 'too_late';
  END IF;
  IF v_stats.balance < v_tokens THEN RETURN 'reward_spent'; END IF;
  IF (SELECT u.undone_at FROM undone_votes u WHERE u.user_id = p_user ORDER BY u.undone_at DESC OFFSET 9 LIMIT 1) > v_now - interval '6 hours' THEN
    RETURN 'undo_limit';
  END IF;

  INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
  VALUES (p_user, v_said_at, v_now, v_vote.project_id, v_tokens, v_vote.period, v_bullish) RETURNING id INTO v_undone;
  IF v_is_change THEN
    DELETE FROM vote_changes c
    WHERE c.user_id = p_user AND c.project_id = v_vote.project_id AND c.period = v_vote.period AND c.said_on = v_change.said_on;
  ELSE
    INSERT INTO token_ledger (user_id, ref, amount, created_at, kind) VALUES (p_user, v_undone, -v_tokens, v_now, 'vote_undone');
    DELETE FROM vote_reasons r WHERE r.user_id = p_user AND r.project_id = v_vote.project_id AND r.period = v_vote.period;
    DELETE FROM votes v WHERE v.user_id = p_user AND v.project_id = v_vote.project_id AND v.period = v_vote.period;
  END IF;
  UPDATE project_stats p SET
    bullish = p.bullish - v_bullish::int + coalesce(v_earlier, false)::int,
    bearish = p.bearish - (NOT v_bullish)::int + coalesce(NOT v_earlier, false)::int
  WHERE p.project_id = v_vote.project_id;

  -- Changes take no place in the window.
  IF NOT v_is_change THEN
    IF v_said_at >= v_stats.window_started_at THEN v_stats.window_votes := v_stats.window_votes - 1; END IF;
    IF v_stats.window_votes = 0 THEN v_stats.window_started_at := NULL; END IF;
  END IF;
  -- The streak stays unless this was the only opinion of its day, and the last: one of the next day may have been stored before it.
  v_day := (v_said_at AT TIME ZONE 'UTC')::date;
  IF v_day >= v_stats.last_day AND NOT EXISTS (SELECT FROM opinions o WHERE o.user_id = p_user AND (o.said_at AT TIME ZONE 'UTC')::date = v_day) THEN
    IF v_stats.streak > 1 THEN
      v_stats.streak := v_stats.streak - 1;
      v_stats.last_day := v_day - 1;
    ELSE
      v_stats.streak := 0;
      v_stats.last_day := (SELECT max((o.said_at AT TIME ZONE 'UTC')::date) FROM opinions o WHERE o.user_id = p_user);
    END IF;
  END IF;
  UPDATE user_stats u SET
    total_votes = u.total_votes - (NOT v_is_change)::int,
    bullish = u.bullish - v_bullish::int + (v_is_change AND v_earlier)::int,
    bearish = u.bearish - (NOT v_bullish)::int + (v_is_change AND NOT v_earlier)::int,
    balance = u.balance - v_tokens, tokens_earned = u.tokens_earned - v_tokens,
    peak_earned = greatest(u.peak_earned, u.tokens_earned), streak = v_stats.streak,
    last_day = v_stats.last_day, window_votes = v_stats.window_votes, window_started_at = v_stats.window_started_at
  WHERE u.user_id = p_user;
  RETURN 'undone';
END $$;
