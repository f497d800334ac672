-- Maintains the rank histogram and the candidates for the top voters, with any writer.
CREATE OR REPLACE FUNCTION user_stats_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_users bigint[];
  v_highest int;
  v_hundredth top_voters;
BEGIN
  SELECT array_agg(user_id), max(total_votes) INTO v_users, v_highest FROM changed WHERE TG_OP = 'UPDATE' OR total_votes > 0;
  IF v_users IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    -- in order, so that all writers lock the histogram's rows alike
    INSERT INTO vote_totals AS t SELECT total_votes, count(*) FROM changed WHERE total_votes > 0 GROUP BY total_votes ORDER BY total_votes
    ON CONFLICT (total_votes) DO UPDATE SET users = t.users + excluded.users;
  ELSE
    INSERT INTO vote_totals AS t
    SELECT total_votes, sum(delta) FROM (SELECT total_votes, 1 AS delta FROM changed UNION ALL SELECT total_votes, -1 FROM previous) d
    WHERE total_votes > 0 GROUP BY total_votes HAVING sum(delta) <> 0 ORDER BY total_votes
    ON CONFLICT (total_votes) DO UPDATE SET users = t.users + excluded.users;
  END IF;
  SELECT * INTO v_hundredth FROM top_voters ORDER BY total_votes DESC, user_id OFFSET 99 LIMIT 1;
  IF v_highest >= coalesce(v_hundredth.total_votes, 1) THEN
    INSERT INTO top_voters AS l (user_id, total_votes)
    SELECT c.user_id, c.total_votes FROM changed c
    WHERE c.total_votes > 0 AND (v_hundredth.total_votes IS NULL OR c.total_votes > v_hundredth.total_votes
      OR (c.total_votes = v_hundredth.total_votes AND c.user_id <= v_hundredth.user_id))
    ORDER BY c.user_id
    ON CONFLICT (user_id) DO UPDATE SET total_votes = excluded.total_votes WHERE l.total_votes <> excluded.total_votes;
  END IF;
  PERFORM notify_servers('u', v_users);
  RETURN NULL;
END $$;

CREATE TRIGGER user_stats_inserted AFTER INSERT ON user_stats
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
CREATE TRIGGER user_stats_updated AFTER UPDATE ON user_stats
  REFERENCING NEW TABLE AS changed OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
