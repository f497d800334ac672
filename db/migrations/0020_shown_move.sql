-- The move of the totals (totals_state.moves) that verified counters, states by day, and sides of identities show. Servers of the previous version
-- write is_stale and duration_ms, which nothing reads: a later version drops them.
ALTER TABLE verified_counts ADD COLUMN move bigint NOT NULL DEFAULT 0, ALTER COLUMN duration_ms SET DEFAULT 0;
