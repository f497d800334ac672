-- The present time of an opinion, a version, a proof or a moderator's act: by the clock, and never before the end of the record, which would not
-- have it. The clock may have been set back.
CREATE OR REPLACE FUNCTION vote_time() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT greatest(clock_timestamp(), (SELECT max(until) FROM log_checkpoints));
$$;
