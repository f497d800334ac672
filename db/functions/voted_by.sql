-- The votes of each user, in the order of p_users, and the clock, in microseconds since 1970: one row of text is the fastest
-- to write and read. A key is the project's id plus 2^32 for each listing period after the first. Bars by an earlier account
-- of the wallet (R67) are votes of the present period.
--
-- A function, and each row looked up by key, for the reasons of cast_votes and feed_of.
CREATE OR REPLACE FUNCTION voted_by(p_users bigint[]) RETURNS TABLE (now text, keys text)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT floor(extract(epoch FROM now()) * 1000000)::text, string_agg(coalesce(voted.keys, ''), ';' ORDER BY asked.ord)
  FROM unnest(p_users) WITH ORDINALITY AS asked(user_id, ord),
    LATERAL (SELECT string_agg(found.key::text, ',') AS keys FROM (
      SELECT v.project_id + (v.period - 1) * 4294967296 AS key FROM votes v WHERE v.user_id = asked.user_id
      UNION ALL
      SELECT p.id + (period_at(p.period_starts, now()) - 1) * 4294967296
      FROM user_stats s JOIN projects p ON p.id = ANY (s.barred_projects)
      WHERE s.user_id = asked.user_id AND is_barred(s.barred_projects, s.barred_periods, p.id, period_at(p.period_starts, now()))
    ) found OFFSET 0) voted;
END $$;
