-- The time of an opinion, a version, a proof or a moderator's act: by the clock, which may have been set back, and never before what is counted
-- (server/figures/totals/close-time.ts) or recorded, which would not have it.
CREATE OR REPLACE FUNCTION vote_time(p_clock timestamptz DEFAULT clock_timestamp()) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN greatest(p_clock, (SELECT max(until) FROM log_checkpoints), (SELECT open_from FROM totals_state WHERE id = 1));
END $$;
