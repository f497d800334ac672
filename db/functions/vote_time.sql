-- Time of an opinion, a version, a proof or a moderator's act. It follows the clock, but never precedes what is already counted
-- (server/figures/totals/close-time.ts) or recorded. The clock is named in the body, where the search path of the session finds it.
CREATE OR REPLACE FUNCTION vote_time(p_clock timestamptz DEFAULT NULL) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN greatest(coalesce(p_clock, clock_timestamp()), (SELECT max(until) FROM log_checkpoints), (SELECT open_from FROM totals_state WHERE id = 1));
END $$;
