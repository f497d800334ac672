-- Withdrawals and their payouts, the admin's sessions and audit log, and the database role of the SQL console.

-- One payout transaction, and the set of withdrawals that it pays, fixed before anybody signs.
CREATE TABLE payout_batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  state text NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'sent', 'paid', 'failed', 'cancelled')),
  -- Null: no coin is configured, the admin pays by other means and records the digest.
  coin_type text,
  digest text,
  -- What the wallet signed, stored before it is sent, so that a lost answer can be looked up and sent again.
  transaction bytea,
  signature text,
  -- Why it failed: a stable code.
  failure text,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (state NOT IN ('sent', 'paid') OR digest IS NOT NULL)
);
-- One transaction pays one batch.
CREATE UNIQUE INDEX payout_batches_digest_key ON payout_batches (digest) WHERE state IN ('sent', 'paid');
CREATE INDEX payout_batches_open_idx ON payout_batches (created_at) WHERE state IN ('prepared', 'sent');

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL CHECK (token_amount >= 50),
  state text NOT NULL DEFAULT 'requested'
    CHECK (state IN ('requested', 'approved', 'sending', 'paid', 'failed', 'rejected')),
  -- A request that is sent again with the same key is the same request.
  idempotency_key text NOT NULL DEFAULT gen_random_uuid()::text,
  -- The one batch that pays it: no withdrawal can be in two that are open.
  batch_id uuid REFERENCES payout_batches,
  digest text,
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, idempotency_key),
  CHECK (state <> 'paid' OR digest IS NOT NULL),
  CHECK ((state IN ('sending', 'paid')) = (batch_id IS NOT NULL))
);
CREATE INDEX withdrawals_state_idx ON withdrawals (state, id);
CREATE INDEX withdrawals_batch_id_idx ON withdrawals (batch_id) WHERE batch_id IS NOT NULL;

-- What each batch was to pay, kept also when it was cancelled or failed.
CREATE TABLE payout_items (
  batch_id uuid NOT NULL REFERENCES payout_batches,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL,
  -- The amount in the coin's smallest units (a u64).
  amount_units numeric(20) NOT NULL CHECK (amount_units > 0),
  PRIMARY KEY (batch_id, withdrawal_id)
);
CREATE INDEX payout_items_withdrawal_id_idx ON payout_items (withdrawal_id);

-- The password login of the admin (R31): ends with the wallet session that it was made in.
CREATE TABLE admin_sessions (
  token_hash bytea PRIMARY KEY,
  session_hash bytea NOT NULL REFERENCES sessions (token_hash) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX admin_sessions_session_hash_idx ON admin_sessions (session_hash);

-- Wrong passwords in a row. Each try is counted before the password is looked at.
CREATE TABLE admin_tries (
  wallet_address text PRIMARY KEY,
  tries int NOT NULL,
  locked_until timestamptz
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor text NOT NULL,
  action text NOT NULL,
  detail text NOT NULL,
  ip text,
  outcome text NOT NULL,
  row_count bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The trigger stops everybody, this stops the owner before it.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

-- The role that the SQL console works as (R32): the product's tables and nothing else. Called here and again by the server,
-- as database privileges do not come along when a database is copied. A later migration that adds a product table replaces
-- it. Roles belong to the whole cluster, so it may exist already, or be created by somebody else in this moment.
CREATE FUNCTION grant_console() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'snapswipe_console') THEN
    BEGIN
      CREATE ROLE snapswipe_console NOLOGIN;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
      WHEN insufficient_privilege THEN
        RAISE NOTICE 'the role snapswipe_console has to be created by somebody who may create roles';
        RETURN;
    END;
  END IF;
  GRANT USAGE ON SCHEMA public TO snapswipe_console;
  GRANT SELECT, INSERT, UPDATE, DELETE ON activity, config, images, job_runs, payments, payout_batches, payout_items,
    project_slugs, project_stats, projects, reviews, user_stats, users, votes, withdrawals TO snapswipe_console;
  GRANT SELECT, INSERT ON token_ledger TO snapswipe_console;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE EXECUTE ON FUNCTION grant_console() FROM PUBLIC;
SELECT grant_console();
