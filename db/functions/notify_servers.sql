-- Notifies the listening servers of cached data to drop: '<kind>:<ids>', or '<kind>:*' when that would not fit into a
-- notification. Kinds: u counters of users, n profiles of users, s sessions of users, p projects, c their vote counts,
-- r reviews of projects, v verified votes of projects (as c does), t figures of all verified votes, d days and trends
-- of projects, m notices of users. Delivered after the commit; equal notifications of a transaction are delivered once.
-- docs/build/decisions/0012-memory-and-notifications.md
CREATE OR REPLACE FUNCTION notify_servers(kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pg_notify('snapswipe', kind || ':' || CASE WHEN cardinality(ids) <= 300 THEN array_to_string(ids, ',') ELSE '*' END);
  END IF;
END $$;
