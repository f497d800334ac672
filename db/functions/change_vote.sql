-- Changes or confirms a vote of the present listing period (R57), without a reward and outside the window of votes. It counts for the streak.
-- At most one change of a vote each UTC day, none within p_pause of the opinion before, and p_limit changes of a user in any p_window.
-- Locks as undo_vote does. The time is read under the lock, so the opinions of a user ascend.
CREATE OR REPLACE FUNCTION change_vote(p_user bigint, p_project bigint, p_bullish boolean, p_limit int, p_window interval, p_pause interval,
                                       p_identity bigint DEFAULT 0)
RETURNS change_outcome LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  v_stats user_stats;
  v_now timestamptz;
  v_day date;
  v_project projects;
  v_vote votes;
  v_last vote_changes;
BEGIN
  SELECT * INTO v_stats FROM user_stats u WHERE u.user_id = p_user FOR UPDATE;
  v_now := vote_time();
  v_day := (v_now AT TIME ZONE 'UTC')::date;
  SELECT * INTO v_project FROM projects p WHERE p.id = p_project;
  IF NOT FOUND OR v_project.hidden_at IS NOT NULL THEN RETURN 'project_not_found'; END IF;
  IF v_project.owner_id = p_user THEN RETURN 'own_project'; END IF;
  SELECT * INTO v_vote FROM votes v
  WHERE v.user_id = p_user AND v.project_id = p_project AND v.period = period_at(v_project.period_starts, v_now);
  IF NOT FOUND THEN RETURN 'vote_not_found'; END IF;
  IF v_project.expires_at <= v_now THEN RETURN 'project_expired'; END IF;
  SELECT * INTO v_last FROM vote_changes c
  WHERE c.user_id = p_user AND c.project_id = p_project AND c.period = v_vote.period ORDER BY c.said_on DESC LIMIT 1;
  IF NOT FOUND THEN
    v_last.said_at := v_vote.created_at;
    v_last.turned_at := v_vote.created_at;
    v_last.bullish := v_vote.bullish;
  -- said_on is later when the clock was set back
  ELSIF v_last.said_on >= v_day THEN
    RETURN 'changed_today';
  END IF;
  IF v_last.said_at + p_pause > v_now THEN RETURN 'changed_too_soon'; END IF;
  -- Checked after 'changed_today', by which a client learns that its call had arrived (R60). 0: no identity named.
  IF p_identity NOT IN (0, v_project.identity) THEN RETURN 'renamed'; END IF;
  IF (SELECT c.said_at FROM vote_changes c WHERE c.user_id = p_user ORDER BY c.said_at DESC OFFSET p_limit - 1 LIMIT 1) > v_now - p_window THEN
    RETURN 'change_limit';
  END IF;

  INSERT INTO vote_changes (user_id, said_at, cast_at, was_said_at, turned_at, project_id, period, bullish, was_bullish)
  VALUES (p_user, v_now, v_vote.created_at, v_last.said_at, CASE WHEN v_last.bullish = p_bullish THEN v_last.turned_at ELSE v_now END,
    p_project, v_vote.period, p_bullish, v_last.bullish);
  IF v_last.bullish <> p_bullish THEN
    UPDATE vote_reasons r SET bullish = p_bullish, reasons = 0 WHERE r.user_id = p_user AND r.project_id = p_project AND r.period = v_vote.period;
    UPDATE project_stats p SET
      bullish = p.bullish + p_bullish::int - v_last.bullish::int,
      bearish = p.bearish - p_bullish::int + v_last.bullish::int
    WHERE p.project_id = p_project;
  END IF;
  UPDATE user_stats u SET
    bullish = u.bullish + p_bullish::int - v_last.bullish::int,
    bearish = u.bearish - p_bullish::int + v_last.bullish::int,
    streak = CASE WHEN u.last_day >= v_day THEN u.streak WHEN u.last_day = v_day - 1 THEN u.streak + 1 ELSE 1 END,
    last_day = greatest(u.last_day, v_day),
    undoable_from = v_now
  WHERE u.user_id = p_user;
  RETURN CASE WHEN v_last.bullish = p_bullish THEN 'confirmed' ELSE 'changed' END;
END $$;
