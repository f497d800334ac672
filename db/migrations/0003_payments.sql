-- What money was promised and paid for (R16, R17), and when jobs ran last.

-- One row per order. A draft is stored before any money moves; a digest named by a client that paid by itself is a row too.
-- States: see shared/contract/payments.ts. project_id has no foreign key: a receipt outlives its project.
CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL REFERENCES users,
  purpose text NOT NULL CHECK (purpose IN ('submit', 'update', 'renew')),
  state text NOT NULL
    CHECK (state IN ('draft', 'signed', 'paid', 'fulfilled', 'failed', 'expired', 'unclaimed', 'refunded')),
  project_id bigint,
  draft jsonb NOT NULL,
  -- SHA-256 of what was ordered, to tell the same order from another one.
  order_hash text NOT NULL,
  amount_mist bigint NOT NULL CHECK (amount_mist > 0),
  received_mist bigint,
  chain_id text,
  digest text,
  transaction bytea,
  signature text,
  -- Why a payment failed or waits for a person: a stable code, and a sentence for its payer.
  failure text,
  note text,
  tries int NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  -- When the digest became known; 24 h later an unseen one is given up.
  signed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CHECK (state IN ('draft', 'expired') OR digest IS NOT NULL),
  CHECK (state NOT IN ('paid', 'fulfilled', 'unclaimed', 'refunded') OR chain_id IS NOT NULL)
);
-- The lock against paying twice with one transaction. Only money that has been seen on chain takes it: naming a digest must
-- not keep its payer from using it.
CREATE UNIQUE INDEX payments_digest_key ON payments (chain_id, digest)
  WHERE state IN ('paid', 'fulfilled', 'unclaimed', 'refunded');
CREATE UNIQUE INDEX payments_user_digest_key ON payments (user_id, digest) WHERE state NOT IN ('failed', 'expired');
CREATE INDEX payments_user_id_idx ON payments (user_id, created_at DESC);
CREATE INDEX payments_open_idx ON payments (next_try_at) WHERE state IN ('draft', 'signed', 'paid', 'failed');
CREATE INDEX payments_unclaimed_idx ON payments (created_at) WHERE state = 'unclaimed';

-- Several servers share the jobs: whoever moves started_at first runs the job.
CREATE TABLE job_runs (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL
);
