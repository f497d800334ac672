-- Wallets that the owner has given a role in the admin panel (R54). The owner is ADMIN_WALLET, by configuration, and not listed here.
CREATE TABLE admins (
  wallet_address text PRIMARY KEY CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'),
  role text NOT NULL CHECK (role IN ('payer', 'moderator')),
  -- scrypt, as ADMIN_PASSWORD_HASH. Admin sessions are keyed by it: another password ends them.
  password_hash text NOT NULL,
  -- Of a one-time password: until then it can be replaced by the person's own. Null: the person has chosen the password.
  password_expires_at timestamptz,
  -- Whether the wallet is or was a payer: its transfers may be payouts (R56).
  has_paid boolean NOT NULL,
  granted_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CHECK (has_paid OR role <> 'payer')
);

-- The wallet whose transaction pays: that of the admin who prepared the payout. Null in payouts of before, which the owner paid.
ALTER TABLE payout_batches ADD COLUMN sender text CHECK (sender ~ '^0x[0-9a-f]{64}$');

-- The overview counts by day and never reads a whole table.
CREATE INDEX users_created_at_idx ON users (created_at);
CREATE INDEX token_ledger_burned_idx ON token_ledger (created_at) INCLUDE (amount) WHERE kind = 'review_burn';
CREATE INDEX withdrawals_created_at_idx ON withdrawals (created_at);
CREATE INDEX withdrawals_settled_idx ON withdrawals (updated_at) WHERE state IN ('paid', 'rejected');
CREATE INDEX reports_created_at_idx ON reports (created_at);
CREATE INDEX reports_resolved_at_idx ON reports (resolved_at) WHERE resolved_at IS NOT NULL;

-- The audit log of one person.
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id DESC);
