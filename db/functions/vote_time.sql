-- The time of an opinion, a version, a proof or a moderator's act: by the clock, which may have been set back, and never before what is counted
-- (server/figures/totals/close-time.ts) or recorded, which would not have it. The clock is named in the body, where the search path of the session finds it.
CREATE OR REPLACE FUNCTION vote_time(p_clock timestamptz DEFAULT NULL) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN greatest(coalesce(p_clock, clock_timestamp()), (SELECT max(until) FROM log_checkpoints), (SELECT open_from FROM totals_state WHERE id = 1));
END $$;
