-- How each job's last run ended, for the admin's overview, /metrics and alerts. Every run writes it over; `error` is null after a run that
-- succeeded. docs/decisions/0037-metrics.md
ALTER TABLE job_runs
  ADD COLUMN finished_at timestamptz,
  ADD COLUMN succeeded_at timestamptz,
  ADD COLUMN duration_ms int CHECK (duration_ms >= 0),
  ADD COLUMN error text CHECK (length(error) <= 500);

-- What each check of the books found. `examples` holds the first differences; the log has all of them.
CREATE TABLE invariant_runs (
  checked_at timestamptz PRIMARY KEY DEFAULT now(),
  duration_ms int NOT NULL CHECK (duration_ms >= 0),
  differences int NOT NULL CHECK (differences >= 0),
  examples text[] NOT NULL CHECK (cardinality(examples) <= 10)
);
