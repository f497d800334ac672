-- Snaps are burned by reviews and by the deletion of an account: the overview counts both.
DROP INDEX token_ledger_burned_idx;
CREATE INDEX token_ledger_burned_idx ON token_ledger (created_at) INCLUDE (amount) WHERE kind IN ('review_burn', 'account_burn');
