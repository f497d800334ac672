-- Keeps exactly the first hundred users. Locks in the order of votes, and skips rows that votes are changing.
CREATE OR REPLACE FUNCTION refresh_top_voters() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_hundredth top_voters;
BEGIN
  DELETE FROM top_voters WHERE user_id IN (
    SELECT l.user_id FROM top_voters l WHERE NOT EXISTS (SELECT FROM user_stats u JOIN users a ON a.id = u.user_id WHERE u.user_id = l.user_id AND a.deleted_at IS NULL)
    ORDER BY l.user_id FOR UPDATE OF l SKIP LOCKED);
  UPDATE top_voters l SET total_votes = u.total_votes FROM (
    SELECT k.user_id, u.total_votes FROM top_voters k JOIN user_stats u ON u.user_id = k.user_id WHERE u.total_votes <> k.total_votes
    ORDER BY k.user_id FOR UPDATE OF k SKIP LOCKED
  ) u WHERE l.user_id = u.user_id;
  INSERT INTO top_voters AS l (user_id, total_votes)
  SELECT f.user_id, f.total_votes
  FROM (SELECT user_id, total_votes FROM user_stats u WHERE total_votes > 0
    AND NOT EXISTS (SELECT FROM users a WHERE a.id = u.user_id AND a.deleted_at IS NOT NULL) ORDER BY total_votes DESC, user_id LIMIT 100) f
  ORDER BY f.user_id
  ON CONFLICT (user_id) DO NOTHING;
  SELECT * INTO v_hundredth FROM top_voters ORDER BY total_votes DESC, user_id OFFSET 99 LIMIT 1;
  DELETE FROM top_voters WHERE user_id IN (
    SELECT l.user_id FROM top_voters l
    WHERE l.total_votes < v_hundredth.total_votes OR (l.total_votes = v_hundredth.total_votes AND l.user_id > v_hundredth.user_id)
    ORDER BY l.user_id FOR UPDATE SKIP LOCKED);
END $$;
