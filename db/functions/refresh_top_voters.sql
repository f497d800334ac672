-- Replaces what others see of voters (R85) by the totals at the end of the newest UTC day that the record has, or of the last day where there is no
-- record: only when ten wallets or more have voted since the day that is shown, so that no total moves with the votes of one.
CREATE OR REPLACE FUNCTION refresh_top_voters() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_until timestamptz := date_trunc('day', coalesce((SELECT max(until) FROM log_checkpoints), clock_timestamp() - interval '5 minutes'), 'UTC');
  v_since timestamptz;
BEGIN
  LOCK TABLE vote_totals IN SHARE ROW EXCLUSIVE MODE;
  v_since := coalesce(((SELECT max(day) FROM vote_totals) + 1) AT TIME ZONE 'UTC', '-infinity');
  IF v_since >= v_until OR (SELECT count(*) FROM (
    SELECT DISTINCT v.user_id FROM votes v JOIN users u ON u.id = v.user_id
    WHERE v.created_at >= v_since AND v.created_at < v_until AND u.deleted_at IS NULL LIMIT 10) moved) < 10 THEN
    RETURN;
  END IF;
  DELETE FROM vote_totals;
  DELETE FROM top_voters;
  WITH published AS MATERIALIZED (
    SELECT s.user_id, s.total_votes - coalesce(l.votes, 0)::int AS total_votes
    FROM user_stats s JOIN users u ON u.id = s.user_id
    LEFT JOIN (SELECT user_id, count(*) AS votes FROM votes WHERE created_at >= v_until GROUP BY user_id) l ON l.user_id = s.user_id
    WHERE u.deleted_at IS NULL AND s.total_votes > coalesce(l.votes, 0)
  ), listed AS (
    INSERT INTO top_voters (user_id, total_votes) SELECT p.user_id, p.total_votes FROM published p ORDER BY p.total_votes DESC, p.user_id LIMIT 100
  )
  INSERT INTO vote_totals (day, total_votes, users)
  SELECT (v_until AT TIME ZONE 'UTC')::date - 1, p.total_votes, count(*) FROM published p GROUP BY p.total_votes;
  PERFORM notify_servers('o', ARRAY(SELECT user_id FROM top_voters));
END $$;
