-- The move of the totals (totals_state.moves) that verified counters, states by day, and sides of identities show.
ALTER TABLE verified_counts DROP COLUMN is_stale, DROP COLUMN duration_ms, ADD COLUMN move bigint NOT NULL DEFAULT 0;
