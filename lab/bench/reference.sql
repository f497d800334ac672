-- The reference for the product's vote path: one vote = one call of one function = one transaction, over PostgreSQL's
-- own protocol by pgbench. The same checks, rows and indexes as cast_votes, without HTTP, notifications, rank histogram
-- and top voters.
DROP SCHEMA IF EXISTS reference CASCADE;
CREATE SCHEMA reference;
CREATE TABLE reference.votes (LIKE public.votes INCLUDING ALL);
CREATE TABLE reference.user_stats (LIKE public.user_stats INCLUDING ALL) WITH (fillfactor = 75);
CREATE TABLE reference.project_stats (LIKE public.project_stats INCLUDING ALL) WITH (fillfactor = 25);

CREATE FUNCTION reference.cast_vote(p_token bytea, p_user bigint, p_project bigint, p_bullish boolean) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_day date := (v_now AT TIME ZONE 'UTC')::date;
  v_project public.projects;
BEGIN
  PERFORM 1 FROM public.sessions WHERE token_hash = p_token AND user_id = p_user AND expires_at > v_now;
  IF NOT FOUND THEN RETURN 401; END IF;
  SELECT * INTO v_project FROM public.projects WHERE id = p_project;
  IF NOT FOUND OR v_project.hidden_at IS NOT NULL THEN RETURN 404; END IF;
  IF v_project.owner_id = p_user THEN RETURN 403; END IF;
  IF v_project.expires_at <= v_now THEN RETURN 410; END IF;
  -- Locks the user's row: the votes of one user run one after another.
  UPDATE reference.user_stats u SET
    total_votes = u.total_votes + 1, bullish = u.bullish + p_bullish::int, bearish = u.bearish + (NOT p_bullish)::int,
    balance = u.balance + 10, tokens_earned = u.tokens_earned + 10,
    streak = CASE WHEN u.last_day = v_day THEN u.streak WHEN u.last_day = v_day - 1 THEN u.streak + 1 ELSE 1 END,
    last_day = v_day,
    window_votes = CASE WHEN u.window_started_at + interval '6 hours' > v_now THEN u.window_votes ELSE 0 END + 1,
    window_started_at = CASE WHEN u.window_started_at + interval '6 hours' > v_now THEN u.window_started_at ELSE v_now END
  WHERE u.user_id = p_user
    AND (u.window_votes < 25 OR u.window_started_at IS NULL OR u.window_started_at + interval '6 hours' <= v_now)
    AND NOT EXISTS (SELECT 1 FROM reference.votes v WHERE v.user_id = p_user AND v.project_id = p_project AND v.period = 1);
  IF NOT FOUND THEN
    PERFORM 1 FROM reference.votes v WHERE v.user_id = p_user AND v.project_id = p_project AND v.period = 1;
    RETURN CASE WHEN FOUND THEN 409 ELSE 429 END;
  END IF;
  -- Two votes of one user on one project at the same instant: the second is tried again, and then responds with 409.
  INSERT INTO reference.votes VALUES (p_user, v_now, p_project, 10, 1, p_bullish) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RAISE EXCEPTION 'race' USING ERRCODE = '40001'; END IF;
  UPDATE reference.project_stats SET bullish = bullish + p_bullish::int, bearish = bearish + (NOT p_bullish)::int
  WHERE project_id = p_project;
  RETURN 200;
END $$;
