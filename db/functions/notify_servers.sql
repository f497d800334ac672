-- Notifies the servers that listen of what to drop from memory: '<kind>:<ids>', or '<kind>:*' when that would not fit into a notification.
-- A kind is a letter of server/kit/cache/tags.ts.
-- Delivered after the commit; equal notifications of a transaction are delivered once. docs/build/decisions/0012-memory-and-notifications.md
CREATE OR REPLACE FUNCTION notify_servers(kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pg_notify('snapswipe', kind || ':' || CASE WHEN cardinality(ids) <= 300 THEN array_to_string(ids, ',') ELSE '*' END);
  END IF;
END $$;
