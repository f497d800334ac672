-- Publishes the totals of voters (R85) as of the last closed day, only when ten wallets with standing have voted since the day that is
-- shown: free wallets cost nothing. Before the site has thirty such wallets there are steps instead, from ten votes on, which move daily.
CREATE OR REPLACE FUNCTION refresh_top_voters() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_day date := (SELECT max(day) FROM closed_days);
  v_until timestamptz := (v_day + 1) AT TIME ZONE 'UTC';
  v_since timestamptz;
  v_in_steps boolean := (SELECT count(*) FROM (
    SELECT FROM voter_standing s JOIN users u ON u.id = s.user_id WHERE s.state = 'standing' AND u.deleted_at IS NULL LIMIT 30) standing) < 30;
BEGIN
  LOCK TABLE vote_totals IN SHARE ROW EXCLUSIVE MODE;
  v_since := coalesce(((SELECT max(day) FROM vote_totals) + 1) AT TIME ZONE 'UTC', '-infinity');
  IF v_until IS NULL OR v_since >= v_until OR NOT v_in_steps AND (SELECT count(*) FROM (
    SELECT DISTINCT v.user_id FROM votes v JOIN voter_standing s ON s.user_id = v.user_id JOIN users u ON u.id = v.user_id
    WHERE v.created_at >= v_since AND v.created_at < v_until AND s.state = 'standing' AND u.deleted_at IS NULL LIMIT 10) moved) < 10 THEN
    RETURN;
  END IF;
  DELETE FROM vote_totals;
  DELETE FROM top_voters;
  WITH counted AS (
    SELECT s.user_id, s.total_votes - coalesce(l.votes, 0)::int AS total_votes
    FROM user_stats s JOIN users u ON u.id = s.user_id
    LEFT JOIN (SELECT user_id, count(*) AS votes FROM votes WHERE created_at >= v_until GROUP BY user_id) l ON l.user_id = s.user_id
    WHERE u.deleted_at IS NULL AND s.total_votes > coalesce(l.votes, 0)
  ), published AS MATERIALIZED (
    SELECT user_id, total_votes FROM counted WHERE NOT v_in_steps
    UNION ALL
    SELECT c.user_id, max(x.step) FROM counted c
    JOIN (SELECT (n * 10 ^ e)::int AS step FROM unnest(ARRAY[1, 2.5, 5]) n, generate_series(1, 7) e) x ON x.step <= c.total_votes
    WHERE v_in_steps GROUP BY 1
  ), listed AS (
    INSERT INTO top_voters (user_id, total_votes) SELECT p.user_id, p.total_votes FROM published p ORDER BY p.total_votes DESC, p.user_id LIMIT 100
  )
  INSERT INTO vote_totals (day, total_votes, users, in_steps)
  SELECT v_day, p.total_votes, count(*), v_in_steps FROM published p GROUP BY p.total_votes;
  PERFORM notify_servers('o', ARRAY(SELECT user_id FROM top_voters));
END $$;
