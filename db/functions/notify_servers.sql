-- Notifies the servers after the commit: '<kind>:<ids>', or '<kind>:*' when the ids do not fit. A kind is a letter of server/kit/cache/tags.ts.
-- docs/build/decisions/0012-memory-and-notifications.md
CREATE OR REPLACE FUNCTION notify_servers(kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pg_notify('snapswipe', kind || ':' || CASE WHEN cardinality(ids) <= 300 THEN array_to_string(ids, ',') ELSE '*' END);
  END IF;
END $$;
