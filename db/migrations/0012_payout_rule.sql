-- Withdrawals that a rule approved, and when the rule last examined one that still waits (R79).
ALTER TABLE withdrawals
  ADD COLUMN auto_approved_at timestamptz,
  ADD COLUMN auto_checked_at timestamptz;

CREATE INDEX withdrawals_unchecked_idx ON withdrawals (auto_checked_at NULLS FIRST, id) WHERE state = 'requested';
CREATE INDEX withdrawals_auto_approved_idx ON withdrawals (auto_approved_at) WHERE auto_approved_at IS NOT NULL;
