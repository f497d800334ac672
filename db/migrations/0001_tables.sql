-- All tables with their constraints and indexes, by subject. Functions and the triggers that call them are in db/functions/; an index
-- or policy that needs a function stands with that function. db/schema.sql shows the result.

-- ---------------------------------------------------------------------------------------------------------------------------
-- Users, sessions and sign-in
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_address text NOT NULL UNIQUE CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'),
  username text CHECK (username ~ '^[A-Za-z0-9_]{3,24}$'),
  avatar_hash text,
  twitter_link text,
  telegram_link text,
  discord_link text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_username_key ON users (lower(username));

-- The token itself is only in the browser's cookie. Users see their own sessions by id, which is no secret, with the device in
-- plain words and when it was last seen (to the hour; votes do not write it).
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  device text NOT NULL DEFAULT 'Unknown browser' CHECK (char_length(device) BETWEEN 1 AND 80),
  last_seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- One row per message that a wallet was asked to sign; deleted at its first use.
CREATE TABLE auth_challenges (
  nonce text PRIMARY KEY,
  wallet_address text NOT NULL,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX auth_challenges_expires_at_idx ON auth_challenges (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------------
-- Projects
-- ---------------------------------------------------------------------------------------------------------------------------

-- Pictures, re-encoded, by the hash of their bytes. width_px 0 is the full size.
CREATE TABLE images (
  hash text NOT NULL,
  width_px int NOT NULL DEFAULT 0,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  width int NOT NULL,
  height int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (hash, width_px)
);
ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE projects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  category text NOT NULL CHECK (category IN ('DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Social', 'Other')),
  description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 200),
  image_hash text NOT NULL,
  twitter_handle text NOT NULL,
  website text,
  owner_id bigint NOT NULL REFERENCES users,
  transaction_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  hidden_at timestamptz,
  hidden_reason text,
  -- False once a project is seen to be hidden or to have expired (list_project, delist-expired). An index cannot ask for the time, so it
  -- holds what is listed, and queries look at expires_at as well: a row that is still listed although it has just expired costs them
  -- a step, and is never shown. Every active project is listed, whatever writes to the table.
  listed boolean NOT NULL DEFAULT true
);
-- The feed is a walk along this index: a fixed place for each project that has nothing to do with its age or its name.
-- It answers without the table, for which the planner has to find the bare id beside its hash.
CREATE INDEX projects_feed_idx ON projects (hashint8extended(id, 0)) INCLUDE (id, owner_id, expires_at) WHERE listed;
-- Which of the projects that a user voted on are still listed.
CREATE INDEX projects_listed_id_idx ON projects (id) INCLUDE (owner_id, expires_at) WHERE listed;
-- How many are listed, in total and of one owner; and which have expired since.
CREATE INDEX projects_listed_expires_at_idx ON projects (expires_at) WHERE listed;
CREATE INDEX projects_listed_owner_idx ON projects (owner_id, expires_at) WHERE listed;
-- Lists in pages.
CREATE INDEX projects_owner_page_idx ON projects (owner_id, id DESC);
CREATE INDEX projects_hidden_page_idx ON projects (id DESC) WHERE hidden_at IS NOT NULL;

-- Every slug a project ever had, written by keep_slug: the present one is projects.slug, the others redirect to it.
CREATE TABLE project_slugs (
  slug text PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  UNIQUE (slug, project_id)
);
ALTER TABLE projects ADD FOREIGN KEY (slug, id) REFERENCES project_slugs (slug, project_id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE reviews (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users,
  content text NOT NULL CHECK (char_length(content) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  hidden_at timestamptz,
  hidden_reason text
);
CREATE INDEX reviews_project_id_idx ON reviews (project_id, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX reviews_hidden_page_idx ON reviews (id DESC) WHERE hidden_at IS NOT NULL;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Votes, tokens and counters. A vote writes these tables and no others: they are keyed by user_id first, without sequences or
-- foreign keys (cast_votes makes those checks itself). Lists of votes have no index of their own: it would be one entry more for
-- each vote, and a user's votes are found by their key.
-- ---------------------------------------------------------------------------------------------------------------------------

-- Append-only (refuse_change). A vote is its own ledger entry: its row carries the reward, in tokens (R13). A user has one vote per
-- project and listing period (R45). Wide columns first, and project_id in four bytes (two thousand million listings): the row takes 56
-- bytes and its index entry 24, where eight bytes would make it 32.
CREATE TABLE votes (
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  project_id int NOT NULL,
  tokens smallint NOT NULL CHECK (tokens > 0),
  period smallint NOT NULL DEFAULT 1,
  bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period)
);

-- What becomes of a vote (cast_votes).
CREATE TYPE vote_outcome AS ENUM (
  'counted', 'no_session', 'other_session', 'no_project', 'own_project', 'already_voted', 'expired', 'window_full', 'send_again'
);

CREATE TYPE ledger_kind AS ENUM ('vote_reward', 'review_burn', 'withdrawal_hold', 'hold_release', 'payout');

-- All changes of balances that are not votes, append-only (refuse_change). The natural key makes each happen once: ref is the review of
-- a burn, the withdrawal of all others.
CREATE TABLE token_ledger (
  user_id bigint NOT NULL,
  ref bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  created_at timestamptz NOT NULL,
  kind ledger_kind NOT NULL CHECK (kind <> 'vote_reward'),
  PRIMARY KEY (user_id, kind, ref)
);

-- Every entry there is: the balance of a user is the sum of these. ref of a reward is the project.
CREATE VIEW ledger_entries AS
  SELECT user_id, 'vote_reward'::ledger_kind AS kind, project_id::bigint AS ref, tokens::bigint AS amount, created_at FROM votes
  UNION ALL
  SELECT user_id, kind, ref, amount, created_at FROM token_ledger;

-- Counters of a project.
CREATE TABLE project_stats (
  project_id bigint PRIMARY KEY,
  bullish bigint NOT NULL DEFAULT 0 CHECK (bullish >= 0),
  bearish bigint NOT NULL DEFAULT 0 CHECK (bearish >= 0)
) WITH (fillfactor = 25);

-- Counters of a user; balance is always the sum of ledger_entries (db/functions/check_balance.sql), tokens_earned that of the vote
-- rewards.
CREATE TABLE user_stats (
  user_id bigint PRIMARY KEY,
  total_votes int NOT NULL DEFAULT 0,
  bullish int NOT NULL DEFAULT 0,
  bearish int NOT NULL DEFAULT 0,
  streak int NOT NULL DEFAULT 0,
  -- Of the newest vote, in UTC; null before the first.
  last_day date,
  window_started_at timestamptz,
  window_votes smallint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  tokens_earned bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 75);

-- How many users have cast exactly so many votes: the rank of a user is one more than the users of all higher totals. At most
-- as many rows as there are projects, whatever the number of users. Kept by user_stats_changed.
CREATE TABLE vote_totals (
  total_votes int PRIMARY KEY,
  -- Never negative; not a CHECK, which would see the negative difference before it is added.
  users bigint NOT NULL
) WITH (fillfactor = 25);

-- All users who may be among the first: a hundred at least, and those who have been overtaken since. The list is read with the
-- totals of user_stats; the total here, as of when it rose, only decides who enters. As votes are never taken back, users rise only by
-- voting. Where totals are lowered by hand, the other ninety stand in until the next run of the hourly job (refresh_top_voters).
CREATE TABLE top_voters (
  user_id bigint PRIMARY KEY,
  total_votes int NOT NULL
);
CREATE INDEX top_voters_total_votes_idx ON top_voters (total_votes DESC, user_id);

CREATE TYPE activity_kind AS ENUM (
  'review_posted', 'withdrawal_requested', 'withdrawal_approved', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_failed',
  'project_submitted', 'project_updated', 'project_renewed', 'project_hidden', 'project_unhidden', 'review_hidden', 'review_unhidden',
  'payment_unclaimed', 'payment_refunded'
);

-- What the user sees about money or tokens (R36).
CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind activity_kind NOT NULL,
  text text NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  amount_mist bigint,
  digest text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX activity_user_id_idx ON activity (user_id, id DESC);

-- ---------------------------------------------------------------------------------------------------------------------------
-- Payments in SUI (R16, R17)
-- ---------------------------------------------------------------------------------------------------------------------------

-- Every wallet that was ever ADMIN_WALLET of this database, written by the server alone (at its start, with each draft, and by
-- its job while it runs). The console's role has no rights here and so can name no wallet as ours. A transaction up to a day
-- after last_used_at still pays us. Set last_used_at to '1970-01-01' for a wallet that was stolen or entered by mistake.
CREATE TABLE payment_recipients (
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-f]{64}$'),
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);

CREATE TYPE payment_purpose AS ENUM ('submit', 'update', 'renew');
CREATE TYPE payment_state AS ENUM ('draft', 'signed', 'paid', 'fulfilled', 'failed', 'expired', 'unclaimed', 'refunded');

-- One row per order. A draft is stored before any money moves; a digest named by a client that paid by itself is a row too.
-- States: see shared/contract/payments.ts. project_id has no foreign key: a receipt outlives its project.
CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL REFERENCES users,
  purpose payment_purpose NOT NULL,
  state payment_state NOT NULL,
  project_id bigint,
  draft jsonb NOT NULL,
  -- SHA-256 of what was ordered, to tell the same order from another one.
  order_hash text NOT NULL,
  amount_mist bigint NOT NULL CHECK (amount_mist > 0),
  -- The wallet shown to the payer. The reference keeps it one of ours, also when the console updates payments.
  -- Null where the client named a digest that it paid by itself.
  recipient text REFERENCES payment_recipients,
  received_mist bigint,
  -- Whose coins an unclaimed payment was made with, where that is not the payer's own wallet: a refund goes there.
  paid_by text,
  chain_id text,
  digest text,
  transaction bytea,
  signature text,
  -- Why a payment failed or needs a review: a stable code, and a sentence for its payer.
  failure_code text,
  message text,
  -- What was sent back, and by which transaction, as the admin recorded it.
  refunded_mist bigint CHECK (refunded_mist > 0),
  refund_digest text,
  attempts int NOT NULL DEFAULT 0,
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
-- Payments that failed without any money seen are looked up again for a day; see server/jobs/recover-payments.ts.
CREATE INDEX payments_open_idx ON payments (next_try_at) WHERE state IN ('draft', 'signed', 'paid', 'failed');
CREATE INDEX payments_unclaimed_idx ON payments (created_at) WHERE state = 'unclaimed';
CREATE INDEX payments_order_idx ON payments (user_id, order_hash) WHERE state IN ('draft', 'signed', 'paid');
-- Lists in pages.
CREATE INDEX payments_user_page_idx ON payments (user_id, created_at DESC, id DESC);
CREATE INDEX payments_page_idx ON payments (created_at DESC, id DESC);
CREATE INDEX payments_state_page_idx ON payments (state, created_at DESC, id DESC);

-- ---------------------------------------------------------------------------------------------------------------------------
-- Withdrawals of tokens, and the payouts that pay them
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TYPE payout_batch_state AS ENUM ('prepared', 'sent', 'paid', 'failed', 'cancelled');

-- One payout transaction, and the set of withdrawals that it pays, fixed before the signature.
CREATE TABLE payout_batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  state payout_batch_state NOT NULL DEFAULT 'prepared',
  -- Null: no coin is configured, the admin pays by other means and records the digest.
  coin_type text,
  digest text,
  -- What the wallet signed, stored before it is sent, so that a lost response can be looked up and sent again.
  transaction bytea,
  signature text,
  -- Why it failed: a stable code.
  failure_code text,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (state NOT IN ('sent', 'paid') OR digest IS NOT NULL)
);
-- One transaction pays one batch.
CREATE UNIQUE INDEX payout_batches_digest_key ON payout_batches (digest) WHERE state IN ('sent', 'paid');
CREATE INDEX payout_batches_open_idx ON payout_batches (created_at) WHERE state IN ('prepared', 'sent');
CREATE INDEX payout_batches_page_idx ON payout_batches (created_at DESC, id DESC);

CREATE TYPE withdrawal_state AS ENUM ('requested', 'approved', 'sending', 'paid', 'failed', 'rejected');

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL CHECK (token_amount >= 50),
  state withdrawal_state NOT NULL DEFAULT 'requested',
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
CREATE INDEX withdrawals_user_page_idx ON withdrawals (user_id, id DESC);

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

-- ---------------------------------------------------------------------------------------------------------------------------
-- The admin, settings and jobs
-- ---------------------------------------------------------------------------------------------------------------------------

-- The password login of the admin (R31): ends with the wallet session that it was made in.
CREATE TABLE admin_sessions (
  token_hash bytea PRIMARY KEY,
  session_hash bytea NOT NULL REFERENCES sessions (token_hash) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX admin_sessions_session_hash_idx ON admin_sessions (session_hash);

-- Wrong passwords in a row. Each attempt is counted before the password is looked at.
CREATE TABLE admin_login_attempts (
  wallet_address text PRIMARY KEY,
  attempts int NOT NULL,
  locked_until timestamptz
);

-- Append-only. The trigger of refuse_change stops every role, this stops the owner before it.
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
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

CREATE TABLE config (
  config_key text PRIMARY KEY,
  config_value text NOT NULL
);
INSERT INTO config VALUES ('WITHDRAWALS_PAUSED', 'false');

-- When each job ran last. One of several servers runs it, under an advisory lock (server/jobs/scheduler.ts).
CREATE TABLE job_runs (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL
);
