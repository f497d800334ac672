-- All tables, with their constraints and indexes. Functions and the triggers that call them are in db/functions/; an index or constraint that
-- needs a function is created beside that function. db/schema.sql shows the result.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE activity_kind AS ENUM (
  'review_posted',
  'withdrawal_requested',
  'withdrawal_approved',
  'withdrawal_paid',
  'withdrawal_rejected',
  'withdrawal_failed',
  'project_submitted',
  'project_updated',
  'project_renewed',
  'project_hidden',
  'project_unhidden',
  'review_hidden',
  'review_unhidden',
  'payment_unclaimed',
  'payment_refunded',
  'vote_set_aside',
  'vote_restored',
  'appeal_answered',
  'reply_hidden',
  'reply_unhidden',
  'payment_waiting'
);

CREATE TYPE change_outcome AS ENUM (
  'changed',
  'confirmed',
  'project_not_found',
  'own_project',
  'vote_not_found',
  'project_expired',
  'changed_today',
  'changed_too_soon',
  'change_limit',
  'renamed'
);

CREATE TYPE coin_source AS ENUM (
  'lister',
  'catalogue',
  'moderator'
);

CREATE TYPE event_kind AS ENUM (
  'view',
  'click',
  'share'
);

CREATE TYPE event_source AS ENUM (
  'deck',
  'page',
  'badge',
  'embed',
  'link'
);

CREATE TYPE ledger_kind AS ENUM (
  'vote_reward',
  'grant',
  'review_burn',
  'withdrawal_hold',
  'hold_release',
  'payout',
  'vote_undone',
  'account_burn'
);

CREATE TYPE notice_kind AS ENUM (
  'review',
  'reply',
  'expiry',
  'payout_paid',
  'appeal_answered',
  'report_resolved',
  'listing_changed',
  'payout_rejected',
  'payout_failed',
  'listing_hidden',
  'text_hidden',
  'name_review'
);

CREATE TYPE ownership_state AS ENUM (
  'controls',
  'proven',
  'accepted',
  'lost'
);

CREATE TYPE payment_purpose AS ENUM (
  'submit',
  'update',
  'renew'
);

CREATE TYPE payment_state AS ENUM (
  'draft',
  'signed',
  'paid',
  'fulfilled',
  'failed',
  'expired',
  'unclaimed',
  'refunded'
);

CREATE TYPE payout_batch_state AS ENUM (
  'prepared',
  'sent',
  'paid',
  'failed',
  'cancelled'
);

CREATE TYPE report_reason AS ENUM (
  'spam',
  'scam',
  'abuse',
  'impersonation',
  'other'
);

CREATE TYPE report_resolution AS ENUM (
  'hidden',
  'dismissed'
);

CREATE TYPE report_subject AS ENUM (
  'project',
  'review',
  'reply'
);

CREATE TYPE undo_outcome AS ENUM (
  'undone',
  'vote_not_found',
  'too_late',
  'reward_spent',
  'undo_limit'
);

CREATE TYPE vote_outcome AS ENUM (
  'counted',
  'not_signed_in',
  'not_yours',
  'project_not_found',
  'own_project',
  'already_voted',
  'project_expired',
  'vote_limit',
  'send_again',
  'renamed'
);

CREATE TYPE vote_state AS ENUM (
  'verified',
  'waiting',
  'no_standing',
  'rhythm',
  'moderator',
  'replaced'
);

CREATE TYPE voter_state AS ENUM (
  'waiting',
  'no_standing',
  'standing'
);

CREATE TYPE withdrawal_state AS ENUM (
  'requested',
  'approved',
  'sending',
  'paid',
  'failed',
  'rejected'
);

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  wallet_address text NOT NULL,
  username text,
  avatar_hash text,
  twitter_link text,
  telegram_link text,
  discord_link text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- An account that was deleted keeps its number, under which its votes and ledger entries stay; nothing in the row leads to anybody. The
  -- one row with the wallet 'deleted' owns the listings and payments of all deleted accounts: with the chain they would lead to a wallet,
  -- and so must not lead to a number. Accurate to the day, so that the time of an act says nothing.
  deleted_at timestamptz,
  PRIMARY KEY (id),
  UNIQUE (wallet_address),
  CHECK (deleted_at IS NULL OR num_nonnulls(username, avatar_hash, twitter_link, telegram_link, discord_link) = 0),
  CHECK (username ~ '^[A-Za-z0-9_]{3,24}$'::text),
  CHECK (
CASE
    WHEN deleted_at IS NULL THEN wallet_address ~ '^0x[0-9a-f]{64}$'::text
    ELSE wallet_address = 'deleted'::text OR wallet_address = ('deleted-'::text || id)
END)
);
-- The overview counts by day and never reads a whole table.
CREATE INDEX users_created_at_idx ON users (created_at);
-- The overview counts the Snaps that deletions of accounts burned, and finds them by their users.
CREATE INDEX users_deleted_at_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX users_username_key ON users (lower(username));

-- The token itself is only in the browser's cookie. Users see their own sessions by id, which is no secret, with the device in
-- plain words and when it was last seen (to the hour; votes do not write it).
CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  device text NOT NULL DEFAULT 'Unknown browser'::text,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (token_hash),
  CHECK (char_length(device) >= 1 AND char_length(device) <= 80),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

-- One row per message that a wallet was asked to sign; deleted at its first use.
CREATE TABLE auth_challenges (
  nonce text NOT NULL,
  wallet_address text NOT NULL,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- What the signature is for: each has a text of its own.
  purpose text NOT NULL DEFAULT 'sign_in'::text,
  PRIMARY KEY (nonce),
  CHECK (purpose = ANY (ARRAY['sign_in'::text, 'delete_account'::text]))
);
CREATE INDEX auth_challenges_expires_at_idx ON auth_challenges (expires_at);

-- Pictures, re-encoded, by the hash of their bytes. width_px 0 is the full size.
CREATE TABLE images (
  hash text NOT NULL,
  width_px integer NOT NULL DEFAULT 0,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- An upload costs its user from an allowance before it is decoded, and one that is known by its bytes is not decoded again.
  upload_digest bytea,
  PRIMARY KEY (hash, width_px),
  CHECK (length(upload_digest) = 32)
);
CREATE INDEX images_upload_digest_idx ON images (upload_digest) WHERE upload_digest IS NOT NULL;

-- Append-only (refuse_change). A vote is its own ledger entry: its row carries the reward, in tokens (R13). A user has one vote per
-- project and listing period (R45). Wide columns first, and project_id in four bytes (two thousand million listings): the row takes 56
-- bytes and its index entry 24, where eight bytes would make it 32.
CREATE TABLE votes (
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  tokens smallint NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period),
  CHECK (tokens > 0)
);
-- What was cast in a stretch of time. Votes are appended in the order of their time, so the index is a few bytes for each 32 pages and a
-- vote's insert does not touch it; the daemon adds ranges as they fill up.
CREATE INDEX votes_created_at_idx ON votes USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
-- Votes of later periods, each of which replaces an earlier one: vote_states asks for all of them. Takes no room while nobody renews.
CREATE INDEX votes_later_periods_idx ON votes (user_id, project_id, period) WHERE period > 1;

-- All changes of balances that are not votes, append-only (refuse_change). The natural key makes each happen once: ref is the review of
-- a burn, the withdrawal of all others.
CREATE TABLE token_ledger (
  user_id bigint NOT NULL,
  ref bigint NOT NULL,
  amount bigint NOT NULL,
  created_at timestamptz NOT NULL,
  kind ledger_kind NOT NULL,
  PRIMARY KEY (user_id, kind, ref),
  CHECK (amount <> 0),
  CHECK (kind <> 'vote_reward'::ledger_kind)
);
CREATE INDEX token_ledger_burned_idx ON token_ledger (created_at) INCLUDE (amount) WHERE kind = 'review_burn'::ledger_kind;
-- What is new is found by time.
CREATE INDEX token_ledger_created_at_idx ON token_ledger USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

-- Counters of a project.
CREATE TABLE project_stats (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=25);

-- Counters of a user; balance is always the sum of ledger_entries (db/functions/check_balance.sql), tokens_earned that of the vote
-- rewards.
CREATE TABLE user_stats (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL DEFAULT 0,
  bullish integer NOT NULL DEFAULT 0,
  bearish integer NOT NULL DEFAULT 0,
  streak integer NOT NULL DEFAULT 0,
  -- Of the newest vote, in UTC; null before the first.
  last_day date,
  window_started_at timestamptz,
  window_votes smallint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  tokens_earned bigint NOT NULL DEFAULT 0,
  -- Projects that this account may not vote on, because its wallet did so before; null for nearly all.
  barred_projects integer[],
  -- The most that a user had earned before an undo took some of it back: whether a number was passed before is known from the row itself (R10).
  peak_earned bigint NOT NULL DEFAULT 0,
  -- The last listing period in which a user may not vote on the project at the same place of barred_projects; null: in none at all (R67).
  barred_periods smallint[],
  -- The moment from which a vote can still be undone (R59): votes cast before it cannot, because a later vote was cast or their result was shown.
  -- Null: no vote since this column exists.
  undoable_from timestamptz,
  PRIMARY KEY (user_id),
  CHECK (balance >= 0)
) WITH (fillfactor=75);

-- How many users have cast exactly so many votes: the rank of a user is one more than the users of all higher totals. At most
-- as many rows as there are projects, whatever the number of users. Kept by user_stats_changed.
CREATE TABLE vote_totals (
  total_votes integer NOT NULL,
  -- Never negative; not a CHECK, which would see the negative difference before it is added.
  users bigint NOT NULL,
  PRIMARY KEY (total_votes)
) WITH (fillfactor=25);

-- All users who may be among the first: a hundred at least, and those who have been overtaken since. The list is read with the
-- totals of user_stats; the total here, as of when it rose, only decides who enters. As votes are never taken back, users rise only by
-- voting. Where totals are lowered by hand, the other ninety stand in until the next run of the hourly job (refresh_top_voters).
CREATE TABLE top_voters (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL,
  PRIMARY KEY (user_id)
);
CREATE INDEX top_voters_total_votes_idx ON top_voters (total_votes DESC, user_id);

-- What the user sees about money or tokens (R36).
CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind activity_kind NOT NULL,
  text text NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  amount_mist bigint,
  digest text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX activity_user_id_idx ON activity (user_id, id DESC);

-- Every wallet that was ever ADMIN_WALLET of this database, written by the server alone (at its start, with each draft, and by
-- its job while it runs). The console's role has no rights here and so can name no wallet as ours. A transaction up to a day
-- after last_used_at still pays us. Set last_used_at to '1970-01-01' for a wallet that was stolen or entered by mistake.
CREATE TABLE payment_recipients (
  address text NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (address),
  CHECK (address ~ '^0x[0-9a-f]{64}$'::text)
);

-- One row per order. A draft is stored before any money moves; a digest named by a client that paid by itself is a row too.
-- States: see shared/contract/payments.ts. project_id has no foreign key: a receipt outlives its project.
CREATE TABLE payments (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL,
  purpose payment_purpose NOT NULL,
  state payment_state NOT NULL,
  project_id bigint,
  draft jsonb NOT NULL,
  -- SHA-256 of what was ordered, to tell the same order from another one.
  order_hash text NOT NULL,
  amount_mist bigint NOT NULL,
  -- The wallet shown to the payer. The reference keeps it one of ours, also when the console updates payments.
  -- Null where the client named a digest that it paid by itself.
  recipient text,
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
  refunded_mist bigint,
  refund_digest text,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  -- When the digest became known; 24 h later an unseen one is given up.
  signed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- A paid order that waits since then; after its listing, until a moderator has looked at it.
  look_alike_since timestamptz,
  PRIMARY KEY (id),
  CHECK (amount_mist > 0),
  CHECK ((state = ANY (ARRAY['draft'::payment_state, 'expired'::payment_state])) OR digest IS NOT NULL),
  CHECK ((state <> ALL (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state])) OR chain_id IS NOT NULL),
  CHECK (refunded_mist > 0),
  FOREIGN KEY (recipient) REFERENCES payment_recipients(address),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
-- The lock against paying twice with one transaction. Only money that has been seen on chain takes it: naming a digest must
-- not keep its payer from using it.
CREATE UNIQUE INDEX payments_digest_key ON payments (chain_id, digest) WHERE state = ANY (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state]);
-- Claims that came to nothing, which leave after a while (delete_unused).
CREATE INDEX payments_failed_claims_idx ON payments (updated_at) WHERE state = 'failed'::payment_state AND transaction IS NULL;
-- The newest fee of a listing, also one that was refunded after an appeal.
CREATE INDEX payments_listing_fee_idx ON payments (project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL AND (purpose = ANY (ARRAY['submit'::payment_purpose, 'renew'::payment_purpose])) AND (state = 'fulfilled'::payment_state OR state = 'refunded'::payment_state AND failure_code = 'listing_hidden'::text);
-- Later paid orders of a listing end one whose name waits (R74).
CREATE INDEX payments_listing_idx ON payments (project_id) WHERE project_id IS NOT NULL AND (state = ANY (ARRAY['paid'::payment_state, 'fulfilled'::payment_state]));
CREATE INDEX payments_look_alike_idx ON payments (created_at, id) WHERE look_alike_since IS NOT NULL;
-- Payments that failed without any money seen are looked up again for a day; see server/money/payments/recover.ts.
CREATE INDEX payments_open_idx ON payments (next_try_at) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state, 'failed'::payment_state]);
CREATE INDEX payments_order_idx ON payments (user_id, order_hash) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state]);
CREATE INDEX payments_page_idx ON payments (created_at DESC, id DESC);
-- A transaction counts as one refund.
CREATE INDEX payments_refund_digest_idx ON payments (refund_digest) WHERE refund_digest IS NOT NULL;
CREATE INDEX payments_state_page_idx ON payments (state, created_at DESC, id DESC);
CREATE INDEX payments_unclaimed_idx ON payments (created_at) WHERE state = 'unclaimed'::payment_state;
CREATE UNIQUE INDEX payments_user_digest_key ON payments (user_id, digest) WHERE state <> ALL (ARRAY['failed'::payment_state, 'expired'::payment_state]);
-- Lists in pages.
CREATE INDEX payments_user_page_idx ON payments (user_id, created_at DESC, id DESC);

-- One payout transaction, and the set of withdrawals that it pays, fixed before the signature.
CREATE TABLE payout_batches (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  state payout_batch_state NOT NULL DEFAULT 'prepared'::payout_batch_state,
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
  -- The wallet whose transaction pays: that of the admin who prepared the payout. Null in payouts of before, which the owner paid.
  sender text,
  PRIMARY KEY (id),
  CHECK ((state <> ALL (ARRAY['sent'::payout_batch_state, 'paid'::payout_batch_state])) OR digest IS NOT NULL),
  CHECK (sender ~ '^0x[0-9a-f]{64}$'::text)
);
-- One transaction pays one batch.
CREATE UNIQUE INDEX payout_batches_digest_key ON payout_batches (digest) WHERE state = ANY (ARRAY['sent'::payout_batch_state, 'paid'::payout_batch_state]);
CREATE INDEX payout_batches_open_idx ON payout_batches (created_at) WHERE state = ANY (ARRAY['prepared'::payout_batch_state, 'sent'::payout_batch_state]);
CREATE INDEX payout_batches_page_idx ON payout_batches (created_at DESC, id DESC);

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL,
  state withdrawal_state NOT NULL DEFAULT 'requested'::withdrawal_state,
  -- A request that is sent again with the same key is the same request.
  idempotency_key text NOT NULL DEFAULT gen_random_uuid()::text,
  -- The one batch that pays it: no withdrawal can be in two that are open.
  batch_id uuid,
  digest text,
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Withdrawals that a rule approved, and when the rule last examined one that still waits (R79).
  auto_approved_at timestamptz,
  auto_checked_at timestamptz,
  PRIMARY KEY (id),
  UNIQUE (user_id, idempotency_key),
  CHECK ((state = ANY (ARRAY['sending'::withdrawal_state, 'paid'::withdrawal_state])) = (batch_id IS NOT NULL) OR state = 'paid'::withdrawal_state AND wallet_address ~~ 'deleted-%'::text),
  CHECK (state <> 'paid'::withdrawal_state OR digest IS NOT NULL OR wallet_address ~~ 'deleted-%'::text),
  CHECK (token_amount >= 50),
  FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX withdrawals_auto_approved_idx ON withdrawals (auto_approved_at) WHERE auto_approved_at IS NOT NULL;
CREATE INDEX withdrawals_batch_id_idx ON withdrawals (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX withdrawals_created_at_idx ON withdrawals (created_at);
CREATE INDEX withdrawals_settled_idx ON withdrawals (updated_at) WHERE state = ANY (ARRAY['paid'::withdrawal_state, 'rejected'::withdrawal_state]);
CREATE INDEX withdrawals_state_idx ON withdrawals (state, id);
CREATE INDEX withdrawals_unchecked_idx ON withdrawals (auto_checked_at NULLS FIRST, id) WHERE state = 'requested'::withdrawal_state;
CREATE INDEX withdrawals_user_page_idx ON withdrawals (user_id, id DESC);

-- What each batch was to pay, kept also when it was cancelled or failed.
CREATE TABLE payout_items (
  batch_id uuid NOT NULL,
  withdrawal_id bigint NOT NULL,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL,
  -- The amount in the coin's smallest units (a u64).
  amount_units numeric(20,0) NOT NULL,
  PRIMARY KEY (batch_id, withdrawal_id),
  CHECK (amount_units > 0::numeric),
  FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id)
);
CREATE INDEX payout_items_withdrawal_id_idx ON payout_items (withdrawal_id);

-- The password login of the admin (R31): ends with the wallet session that it was made in.
CREATE TABLE admin_sessions (
  token_hash bytea NOT NULL,
  session_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE
);
CREATE INDEX admin_sessions_session_hash_idx ON admin_sessions (session_hash);

-- Wrong passwords in a row. Each attempt is counted before the password is looked at.
CREATE TABLE admin_login_attempts (
  wallet_address text NOT NULL,
  attempts integer NOT NULL,
  locked_until timestamptz,
  -- Passwords that were tried while the login was locked: one line of the audit log says how many.
  refused integer NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_address),
  CHECK (refused >= 0)
);

-- Append-only. The trigger of refuse_change stops every role, this stops the owner before it.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  detail text NOT NULL,
  ip text,
  outcome text NOT NULL,
  row_count bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id)
);
-- The audit log of one person.
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id DESC);

CREATE TABLE config (
  config_key text NOT NULL,
  config_value text NOT NULL,
  PRIMARY KEY (config_key)
);

-- When each job ran last. One of several servers runs it, under an advisory lock (server/jobs.ts).
CREATE TABLE job_runs (
  name text NOT NULL,
  started_at timestamptz NOT NULL,
  -- How each job's last run ended, for the admin's overview, /metrics and alerts. Every run writes it over; `error` is null after a run that
  -- succeeded.
  finished_at timestamptz,
  succeeded_at timestamptz,
  duration_ms integer,
  error text,
  PRIMARY KEY (name),
  CHECK (duration_ms >= 0),
  CHECK (length(error) <= 500)
);

-- The two readings of a UTC day. Their moments are drawn when the day begins and stay secret until the day is over: the console's
-- role has no rights here.
CREATE TABLE standing_readings (
  day date NOT NULL,
  reading smallint NOT NULL,
  starts_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- Why the reading failed, in words.
  failed_because text,
  wallets integer NOT NULL DEFAULT 0,
  -- Wallets whose balance could not be read.
  unread integer NOT NULL DEFAULT 0,
  -- The pace of a reading: how far it is, what the node allows, and until when the reading waits for the node.
  wallets_read integer NOT NULL DEFAULT 0,
  max_per_second real,
  pause_ms integer NOT NULL DEFAULT 0,
  paused_until timestamptz,
  PRIMARY KEY (day, reading),
  CHECK (max_per_second > 0::double precision),
  CHECK (pause_ms >= 0),
  CHECK (reading = ANY (ARRAY[1, 2])),
  CHECK (unread >= 0),
  CHECK (wallets >= 0),
  CHECK (wallets_read >= 0)
);

-- The wallets of the readings under way, each at a random place. A reading goes on from here after a crash; its rows go when the day
-- is closed. No balance is stored, only whether it was enough (null: not read).
CREATE TABLE standing_reads (
  day date NOT NULL,
  reading smallint NOT NULL,
  place integer NOT NULL,
  user_id bigint NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  has_enough boolean,
  PRIMARY KEY (day, reading, place)
);
-- What is left to read, those that failed before last.
CREATE INDEX standing_reads_left_idx ON standing_reads (day, reading, attempts, place) WHERE has_enough IS NULL;

-- Days that are over, kept permanently: what both readings said, or why the day counts neither for nor against anybody.
CREATE TABLE standing_days (
  day date NOT NULL,
  skipped text,
  -- Wallets read in both readings, and those of them that held enough in both.
  wallets integer NOT NULL DEFAULT 0,
  standing integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day),
  CHECK (standing >= 0 AND standing <= wallets),
  CHECK (skipped IS NULL OR wallets = 0)
);

-- What the readings say of each voter who was read. days_held has a bit for each of the last seven days read (1: the newest), of
-- which days_read exist.
CREATE TABLE voter_standing (
  user_id bigint NOT NULL,
  read_on date NOT NULL,
  state voter_state NOT NULL DEFAULT 'waiting'::voter_state,
  -- What the readings found on each of the last 64 days that were read on the site, newest day rightmost, as of read_on: whether this wallet was
  -- read, and whether it held enough. Days that were skipped have no bit. days_read and days_held say the same of the last seven days on which
  -- the wallet was read.
  history_read bit(64) NOT NULL DEFAULT 0::bit(64),
  history_held bit(64) NOT NULL DEFAULT 0::bit(64),
  -- Voters whose readings have changed since their state was worked out.
  is_due boolean NOT NULL DEFAULT true,
  history_unread bit(64) NOT NULL DEFAULT 0::bit(64),
  PRIMARY KEY (user_id)
) WITH (fillfactor=75);
CREATE INDEX voter_standing_due_idx ON voter_standing (user_id) WHERE is_due;

-- Votes that are set aside by themselves, whatever the standing of their voter. Lifting deletes the row; audit_log keeps who did it.
CREATE TABLE votes_set_aside (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  reason vote_state NOT NULL,
  -- What the voter reads.
  detail text NOT NULL,
  actor text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['rhythm'::vote_state, 'moderator'::vote_state]))
);
CREATE INDEX votes_set_aside_page_idx ON votes_set_aside (created_at DESC, user_id DESC, project_id DESC, period DESC, reason DESC);

-- Verified votes of a project, as of verified_counts.counted_until. Projects without any have no row.
CREATE TABLE verified_stats (
  project_id bigint NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id),
  UNIQUE (project_id, period),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=50);

-- Votes by the day on which they were cast, and their state; as of the same moment.
CREATE TABLE vote_state_days (
  day date NOT NULL,
  state vote_state NOT NULL,
  votes bigint NOT NULL,
  PRIMARY KEY (day, state),
  CHECK (votes > 0)
);

-- One row: the last count of verified votes.
CREATE TABLE verified_counts (
  id smallint NOT NULL DEFAULT 1,
  -- Votes created before are counted.
  counted_until timestamptz NOT NULL,
  counted_at timestamptz NOT NULL,
  -- Votes cast before decided_until have a row in vote_decisions. Those that wait were looked at with what was read up to the day looked_at.
  decided_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  looked_at date NOT NULL DEFAULT '-infinity'::date,
  -- The move of the totals (totals_state.moves) that verified counters, states by day, and sides of identities show. Servers of the previous version
  -- write is_stale and duration_ms, which nothing reads: a later version drops them.
  move bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- Networks (/24 or /48) that voters came from, as a hash with the salt of the day; kept for 35 days. No address is stored.
CREATE TABLE voter_networks (
  day date NOT NULL,
  network bytea NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (day, network, user_id),
  CHECK (octet_length(network) = 16)
);
CREATE INDEX voter_networks_user_id_idx ON voter_networks (user_id, day);

-- Gone when its day is over: from then on nobody can tell which address a hash stands for.
CREATE TABLE network_salts (
  day date NOT NULL,
  salt bytea NOT NULL,
  PRIMARY KEY (day),
  CHECK (octet_length(salt) = 32)
);

-- Days whose votes the rhythm rule has compared.
CREATE TABLE rhythm_days (
  day date NOT NULL,
  networks integer NOT NULL,
  wallets integer NOT NULL,
  votes_set_aside integer NOT NULL,
  PRIMARY KEY (day)
);

-- What pseudonyms and salts of a voter are made of; shown to that voter alone, and not to the console's role.
CREATE TABLE voter_secrets (
  user_id bigint NOT NULL,
  secret bytea NOT NULL,
  PRIMARY KEY (user_id),
  CHECK (octet_length(secret) = 32)
);

-- The log's tiles and bundles of entries, by their paths of C2SP tlog-tiles; bundles are compressed by gzip. Append-only
-- (refuse_change).
CREATE TABLE log_files (
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (path)
);

-- What the log committed to, newest last. A batch holds the votes cast before `until` that the batches before it do not hold.
-- Append-only (refuse_change).
CREATE TABLE log_checkpoints (
  size bigint NOT NULL,
  day date NOT NULL,
  until timestamptz NOT NULL,
  -- Votes in the batch, and the newest day whose readings are recorded.
  votes bigint NOT NULL,
  standing_day date,
  root bytea NOT NULL,
  signed_note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- What the log has said of itself up to a checkpoint: its format, and the wallet that anchors it (null: none).
  format smallint NOT NULL DEFAULT 1,
  anchor_sender text,
  PRIMARY KEY (size),
  UNIQUE (until),
  CHECK (octet_length(root) = 32),
  CHECK (size > 0)
);

-- The transaction that anchors a checkpoint on Sui, stored before it is sent.
CREATE TABLE log_anchors (
  size bigint NOT NULL,
  chain_id text NOT NULL,
  digest text NOT NULL,
  transaction bytea NOT NULL,
  signature text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT now(),
  -- Null until the chain shows it.
  anchored_at timestamptz,
  PRIMARY KEY (size),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

-- What the record said last. The state of a vote follows from that of its voter, except where recorded_votes says another one.
CREATE TABLE recorded_voters (
  user_id bigint NOT NULL,
  state voter_state NOT NULL,
  PRIMARY KEY (user_id)
);

CREATE TABLE recorded_votes (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  state vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period)
);

CREATE TABLE recorded_totals (
  project_id integer NOT NULL,
  period smallint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  verified_bullish bigint NOT NULL,
  verified_bearish bigint NOT NULL,
  PRIMARY KEY (project_id, period)
);

-- The proof of liabilities of the newest batch: its entry, who owns which leaf, and every eighth row of the tree of sums in groups of up to
-- 256 nodes, each a hash of 32 bytes and a sum of eight.
CREATE TABLE liability_proof (
  id smallint NOT NULL DEFAULT 1,
  size bigint NOT NULL,
  entry_index bigint NOT NULL,
  day date NOT NULL,
  root bytea NOT NULL,
  total bigint NOT NULL,
  accounts integer NOT NULL,
  -- The sum of all ledger entries, as of the same snapshot.
  ledger bigint NOT NULL,
  PRIMARY KEY (id),
  CHECK (id = 1),
  CHECK (octet_length(root) = 32),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

CREATE TABLE liability_leaves (
  user_id bigint NOT NULL,
  "position" integer,
  balance bigint NOT NULL,
  -- Snaps of open withdrawals are owed, too: a leaf commits to both numbers, and `total` of the proof to their sum.
  held bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id),
  CHECK (balance >= 0),
  CHECK (held >= 0),
  CONSTRAINT liability_leaves_owed_check CHECK ((balance + held) > 0)
);

CREATE TABLE liability_nodes (
  level smallint NOT NULL,
  "position" integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (level, "position")
);

-- Votes that their voters have taken back within seconds (undo_vote): the row as it was in votes. Append-only. With token_ledger, which
-- has an entry of kind vote_undone for each (ref: the id here), it keeps both sides of the ledger.
CREATE TABLE undone_votes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  undone_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  tokens smallint NOT NULL,
  period smallint NOT NULL,
  bullish boolean NOT NULL,
  PRIMARY KEY (id),
  CHECK (tokens >= 0)
);
CREATE INDEX undone_votes_undone_at_idx ON undone_votes (user_id, undone_at);
CREATE INDEX undone_votes_user_id_idx ON undone_votes (user_id, project_id);

-- A row for each UTC day on which something about a project changed; days without one are as the day before.
CREATE TABLE project_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  -- Counters at the end of the day (of today: as of the last count): the newest vote of each user.
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  -- Votes cast on the day.
  votes bigint NOT NULL,
  -- Verified counters at the end of the day; null where they are not known, as on days before the first count of verified votes.
  verified_bullish bigint,
  verified_bearish bigint,
  -- Voters who turned bullish, or bearish, on the day: by a change, or by a vote in a later listing period.
  turned_bullish bigint NOT NULL DEFAULT 0,
  turned_bearish bigint NOT NULL DEFAULT 0,
  -- Verified votes that count for a rank at the end of a day: those since the last change of identity (R27). Null on days before they were counted.
  rank_votes bigint,
  PRIMARY KEY (project_id, day),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0),
  CHECK ((verified_bullish IS NULL) = (verified_bearish IS NULL)),
  CHECK (rank_votes >= 0),
  CHECK (turned_bearish >= 0),
  CHECK (turned_bullish >= 0),
  CHECK (verified_bearish >= 0),
  CHECK (verified_bullish >= 0),
  CHECK (votes >= 0)
);
CREATE INDEX project_days_day_idx ON project_days (day);

-- Verified votes of the last seven UTC days, today among them: what the order 'Trending' is worked out from (shared/trending.ts).
-- Projects without any have no row.
CREATE TABLE project_trends (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  -- Each vote with 7 for today, 6 for yesterday, and so on down to 1.
  weight bigint NOT NULL,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0),
  CHECK (weight > 0)
);

-- What users hold against a project, a review or a reply; subject_id is the review's id for a reply.
CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subject report_subject NOT NULL,
  subject_id bigint NOT NULL,
  user_id bigint NOT NULL,
  reason report_reason NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  resolution report_resolution,
  PRIMARY KEY (id),
  CONSTRAINT reports_once_key UNIQUE (user_id, subject, subject_id),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  CHECK (char_length(text) <= 500),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX reports_created_at_idx ON reports (created_at);
-- The queue: subjects in the order of their first open report.
CREATE INDEX reports_open_page_idx ON reports (id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_subject_idx ON reports (subject, subject_id, id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_user_idx ON reports (user_id) WHERE resolved_at IS NULL;
CREATE INDEX reports_resolved_at_idx ON reports (resolved_at) WHERE resolved_at IS NOT NULL;

-- What happened to a user's things, for the bell in the header; the newest 200 of each user are kept. link: where it happened, a path
-- of the page, or null where there is nothing to be seen.
CREATE TABLE notices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind notice_kind NOT NULL,
  text text NOT NULL,
  link text,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  PRIMARY KEY (id),
  CHECK (link ~~ '/%'::text AND link !~~ '//%'::text),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notices_unread_idx ON notices (user_id) WHERE read_at IS NULL;
CREATE INDEX notices_user_id_idx ON notices (user_id, id DESC);

-- The daily deck of a user (R49): the projects of a UTC day in their order, and why each is among them. Replaced when another day begins.
CREATE TABLE daily_decks (
  user_id bigint NOT NULL,
  day date NOT NULL,
  project_ids integer[] NOT NULL,
  kinds text[] NOT NULL,
  PRIMARY KEY (user_id),
  CHECK (cardinality(project_ids) >= 1 AND cardinality(project_ids) <= 10 AND cardinality(kinds) = cardinality(project_ids)),
  CHECK (kinds <@ ARRAY['still_bullish'::text, 'new'::text, 'close'::text, 'moved'::text, 'feed'::text]),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Wallets that the owner has given a role in the admin panel (R54). The owner is ADMIN_WALLET, by configuration, and not listed here.
CREATE TABLE admins (
  wallet_address text NOT NULL,
  role text NOT NULL,
  -- scrypt, as ADMIN_PASSWORD_HASH. Admin sessions are keyed by it: another password ends them.
  password_hash text NOT NULL,
  -- Of a one-time password: until then it can be replaced by the person's own. Null: the person has chosen the password.
  password_expires_at timestamptz,
  -- Whether the wallet is or was a payer: its transfers may be payouts (R56).
  has_paid boolean NOT NULL,
  granted_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  PRIMARY KEY (wallet_address),
  CHECK (has_paid OR role <> 'payer'::text),
  CHECK (role = ANY (ARRAY['payer'::text, 'moderator'::text])),
  CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'::text)
);

-- The key of the hashes below, where ACCOUNT_KEY is not set.
CREATE TABLE account_keys (
  id smallint NOT NULL DEFAULT 1,
  key bytea NOT NULL,
  PRIMARY KEY (id),
  CHECK (id = 1),
  CHECK (octet_length(key) = 32)
);

-- Wallets whose accounts were deleted, as keyed hashes: one that comes back gets a new account, which votes from this moment on.
CREATE TABLE deleted_wallets (
  wallet_hash bytea NOT NULL,
  votes_from timestamptz NOT NULL,
  -- How often the wallet of a deleted account opened a new one since a moment.
  returned_from timestamptz,
  returns smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_hash),
  CHECK (octet_length(wallet_hash) = 32)
);

-- Keyed hashes of a wallet and a project that it voted on or listed before its account was deleted. They name no account.
CREATE TABLE deletion_marks (
  mark bytea NOT NULL,
  PRIMARY KEY (mark),
  CHECK (octet_length(mark) = 16)
);

-- Archives of own data: how many a user has had on a day, and until when one that is being made keeps others waiting.
CREATE TABLE archive_requests (
  user_id bigint NOT NULL,
  day date NOT NULL,
  archives smallint NOT NULL,
  busy_until timestamptz NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- What holds for the whole database; one row.
CREATE TABLE payout_history (
  one boolean NOT NULL DEFAULT true,
  -- Wallets that were never read are read from here on. Never later than the moment to which a backup of before was restored.
  known_until timestamptz NOT NULL,
  -- Cluster, timeline and database, as the last reading saw them; others mean that this is a restored copy.
  database_id text,
  -- What happened between these moments may be missing.
  lost_from timestamptz,
  lost_until timestamptz,
  PRIMARY KEY (one),
  CHECK ((lost_from IS NULL) = (lost_until IS NULL)),
  CHECK (one)
);

-- How far the transactions of a wallet were read: outgoing ones of the payout coin, or incoming SUI.
CREATE TABLE payout_scans (
  chain_id text NOT NULL,
  wallet_address text NOT NULL,
  coin_type text NOT NULL,
  -- Everything up to this checkpoint is in the books.
  checkpoint bigint NOT NULL,
  -- complete: up to the present · reading: more is to come · behind: the node has not indexed the newest · unreachable · pruned: the node
  -- no longer has what comes next.
  state text NOT NULL,
  -- The node's last checkpoint, and the first that it still has.
  tip bigint NOT NULL,
  lowest bigint NOT NULL,
  scanned_at timestamptz NOT NULL DEFAULT now(),
  -- The last time at which it was complete.
  completed_at timestamptz,
  PRIMARY KEY (chain_id, wallet_address, coin_type),
  CHECK (state = ANY (ARRAY['complete'::text, 'reading'::text, 'behind'::text, 'unreachable'::text, 'pruned'::text])),
  CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'::text)
);

-- Transfers of the payout coin from a paying wallet that no payout batch names.
CREATE TABLE outgoing_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  digest text NOT NULL,
  "position" integer NOT NULL,
  wallet text NOT NULL,
  recipient text NOT NULL,
  coin_type text NOT NULL,
  amount_units numeric(20,0) NOT NULL,
  executed_at timestamptz NOT NULL,
  -- unexplained: payouts wait for it · adopted: a withdrawal is paid by it · internal: to another paying wallet · explained: by the owner.
  state text NOT NULL DEFAULT 'unexplained'::text,
  -- Why it could not be matched.
  cause text,
  withdrawal_id bigint,
  reason text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  UNIQUE (digest, "position"),
  CHECK (amount_units > 0::numeric),
  CHECK ((state = 'adopted'::text) = (withdrawal_id IS NOT NULL)),
  CHECK (state <> 'explained'::text OR reason IS NOT NULL AND decided_by IS NOT NULL),
  CHECK (state = ANY (ARRAY['unexplained'::text, 'adopted'::text, 'internal'::text, 'explained'::text])),
  FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id)
);
CREATE INDEX outgoing_transfers_unexplained_idx ON outgoing_transfers (id) WHERE state = 'unexplained'::text;
CREATE INDEX outgoing_transfers_withdrawal_idx ON outgoing_transfers (withdrawal_id) WHERE withdrawal_id IS NOT NULL;

-- What each check of the books found. `examples` holds the first differences; the log has all of them.
CREATE TABLE invariant_runs (
  checked_at timestamptz NOT NULL DEFAULT now(),
  duration_ms integer NOT NULL,
  differences integer NOT NULL,
  examples text[] NOT NULL,
  PRIMARY KEY (checked_at),
  CHECK (differences >= 0),
  CHECK (duration_ms >= 0),
  CHECK (cardinality(examples) <= 10)
);

-- A backup, noted when it begins. A copy holds its own row unfinished; the restore completes it.
CREATE TABLE backups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- 'dump': `npm run backup`. 'physical': pgBackRest, whose script notes it (deploy/pgbackrest).
  kind text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  bytes bigint,
  tables integer,
  -- SHA-256 of the manifest, which holds those of all files; pgBackRest's label for a physical one.
  checksum text,
  error text,
  PRIMARY KEY (id),
  CHECK (bytes >= 0),
  CHECK (error IS NULL OR finished_at IS NOT NULL),
  CHECK (kind = ANY (ARRAY['dump'::text, 'physical'::text])),
  CHECK (tables >= 0)
);
CREATE INDEX backups_finished_at_idx ON backups (finished_at DESC) WHERE error IS NULL;

-- Each time the database went back to an earlier moment.
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- What was committed later is lost.
  moment timestamptz NOT NULL,
  -- Days of the record that were published after that moment may be missing here: nothing more is published until the operator has put
  -- them back or has said that there are none.
  record_waits boolean NOT NULL,
  PRIMARY KEY (id)
);

-- How much the database holds by subject, noted once a day.
CREATE TABLE storage_figures (
  day date NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (day, name),
  CHECK (bytes >= 0)
);

-- Digests of all recorded votes by project and listing period, computed from the table of votes after each publication.
CREATE TABLE record_digests (
  project_id integer NOT NULL,
  period smallint NOT NULL,
  -- The checkpoint whose votes were read.
  size bigint NOT NULL,
  digest text NOT NULL,
  -- Counted from the votes with the digest: standing ones at the end of the checkpoint.
  bullish bigint,
  bearish bigint,
  PRIMARY KEY (project_id, period),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

-- Lines of witnesses (C2SP tlog-cosignature) for our checkpoints, in the order in which they came. Append-only (refuse_change).
CREATE TABLE log_cosignatures (
  size bigint NOT NULL,
  witness text NOT NULL,
  line text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (size, witness),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

-- The newest checkpoint of each log that this site witnesses (C2SP tlog-witness).
CREATE TABLE witnessed_logs (
  origin text NOT NULL,
  size bigint NOT NULL,
  root bytea NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (origin),
  CHECK (octet_length(root) = 32),
  CHECK (size >= 0)
);

-- What was decided of a vote; votes without a row are too young. A vote that is changed later gets another time, which this decision is not
-- about: it counts for nothing then, and the next one replaces it.
CREATE TABLE vote_decisions (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  -- votes.created_at as it was.
  cast_at timestamptz NOT NULL,
  -- waiting: old enough, and not read on ten days yet. Everything else is final.
  state vote_state NOT NULL,
  -- Days since the vote on which the wallet was read, and those of them on which it held enough.
  days_read smallint NOT NULL,
  days_held smallint NOT NULL,
  -- The state that the public record holds; null: it knows of no decision.
  recorded_state vote_state,
  PRIMARY KEY (user_id, project_id, period),
  CHECK (days_held >= 0 AND days_held <= days_read),
  CHECK (days_read >= 0 AND days_read <= 64),
  CHECK (state = ANY (ARRAY['verified'::vote_state, 'no_standing'::vote_state, 'waiting'::vote_state]))
);
-- What speaks against a wallet that asks for a withdrawal, or appeals.
CREATE INDEX vote_decisions_excluded_idx ON vote_decisions (user_id) WHERE state = 'no_standing'::vote_state;
CREATE INDEX vote_decisions_unrecorded_idx ON vote_decisions (user_id) WHERE recorded_state IS DISTINCT FROM state;
CREATE INDEX vote_decisions_waiting_idx ON vote_decisions (user_id, project_id, period) WHERE state = 'waiting'::vote_state;

-- What a user has used up of an allowance that comes back with time (server/people/users/allowances.ts).
CREATE TABLE user_allowances (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamptz NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (user_id, kind),
  CHECK (kind = ANY (ARRAY['pictures'::text, 'push_tests'::text, 'uploads'::text])),
  CHECK (used >= 0),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Later opinions. Append-only: a row leaves only by being undone (keep_undone). `said_on` in the key allows one a day, by the clock of the
-- database; the second key allows each opinion one successor, so that the opinions of a voter form one chain under any concurrency.
CREATE TABLE vote_changes (
  user_id bigint NOT NULL,
  said_at timestamptz NOT NULL,
  -- When the vote was cast, and when the opinion was given that this one replaces.
  cast_at timestamptz NOT NULL,
  was_said_at timestamptz NOT NULL,
  -- When the voter took this direction: said_at, or for a confirmation the time of the opinion before. 'Trending' goes by it.
  turned_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  said_on date NOT NULL GENERATED ALWAYS AS ((said_at AT TIME ZONE 'UTC'::text)::date) STORED,
  period smallint NOT NULL,
  bullish boolean NOT NULL,
  was_bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_on),
  UNIQUE (user_id, project_id, period, was_said_at),
  CHECK (cast_at <= was_said_at AND was_said_at < said_at),
  CHECK (
CASE
    WHEN bullish = was_bullish THEN turned_at >= cast_at AND turned_at <= was_said_at
    ELSE turned_at = said_at
END)
);
CREATE INDEX vote_changes_said_at_idx ON vote_changes USING brin (said_at) WITH (pages_per_range='32', autosummarize='on');
-- At most 60 changes of a user in any six hours, outside the window of votes (R57): the sixtieth newest is found on the index.
-- contract: the function of the same name that comes with this version no longer returns the value.
CREATE INDEX vote_changes_user_id_said_at_idx ON vote_changes (user_id, said_at);

-- Own votes that a daily deck has brought back ('Still bullish?', R61): each at most once in a listing period for the same reason.
CREATE TABLE asked_again (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['identity'::text, 'moved'::text, 'old'::text])),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Opinions by the day on which they were given (`said_on`): those given count on that day, and those replaced count below zero on the day
-- of the newer opinion (`counted_on`). Their sum over the last 30 days of `said_on` is 'Now' (R58). Older days are deleted.
CREATE TABLE opinion_days (
  project_id bigint NOT NULL,
  said_on date NOT NULL,
  counted_on date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, said_on, counted_on),
  CHECK (said_on <= counted_on)
);
CREATE INDEX opinion_days_counted_on_idx ON opinion_days (counted_on);
CREATE INDEX opinion_days_said_on_idx ON opinion_days (said_on);

-- Totals of opinions and of the ledger, moved by what is new (R69): server/figures/totals/. Everything given before totals_state.counted_until is in
-- them. Readers add what was given since.
CREATE TABLE totals (
  -- opinions (by project, period and identity: bullish, bearish, verified_bullish, verified_bearish) · days (by day of the vote and state) ·
  -- trend (verified ones by project, identity and day of the direction) · said · ledger (by kind of entry) · entries · holders
  name text NOT NULL,
  project_id integer NOT NULL DEFAULT 0,
  period smallint NOT NULL DEFAULT 0,
  identity integer NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '-infinity'::date,
  kind text NOT NULL DEFAULT ''::text,
  value bigint NOT NULL,
  PRIMARY KEY (name, project_id, period, identity, day, kind)
) WITH (fillfactor=50);

CREATE TABLE totals_state (
  id smallint NOT NULL DEFAULT 1,
  counted_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  -- The total of holders is as of this moment; null: not counted yet.
  holders_until timestamptz,
  -- Moves so far: a slice of the recount fits to one of them.
  moves bigint NOT NULL DEFAULT 0,
  -- The states of all voters were worked out after this day was read, at this moment, for this age of a wallet.
  states_day date,
  states_at timestamptz,
  states_min_days integer,
  -- The recount: users up to this id are recounted, of users up to the last one; null: none is running.
  recount_started_at timestamptz,
  recount_user bigint NOT NULL DEFAULT 0,
  recount_last bigint NOT NULL DEFAULT 0,
  -- Past moments with which it compares: the end of the newest checkpoint, and the start of a day.
  recount_record_until timestamptz,
  recount_days_until timestamptz,
  recount_lines text[] NOT NULL DEFAULT '{}'::text[],
  recount_ms bigint NOT NULL DEFAULT 0,
  -- Balances by the last recount: when it began, their sum less that of the ledger, and users whose balance differs from their entries.
  checked_at timestamptz,
  checked_excess bigint NOT NULL DEFAULT 0,
  checked_differing bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

-- What the recount has counted so far, and what was kept.
CREATE TABLE recounted_totals (
  name text NOT NULL,
  project_id integer NOT NULL DEFAULT 0,
  period smallint NOT NULL DEFAULT 0,
  identity integer NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '-infinity'::date,
  kind text NOT NULL DEFAULT ''::text,
  kept bigint NOT NULL DEFAULT 0,
  counted bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (name, project_id, period, identity, day, kind)
) WITH (fillfactor=50);

-- Opinions whose state has changed since they were counted, and the state as which they are in the totals.
CREATE TABLE restated_votes (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamptz NOT NULL,
  counted_as vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

-- Which version of the terms each user agreed to, and when (R80): one row for each user and version, so that it grows with the versions only.
CREATE TABLE terms_consents (
  user_id bigint NOT NULL,
  -- Hash of the text (server/site/legal/terms-version.ts).
  terms_version text NOT NULL,
  -- The first time under this version at each step; null where the user has not taken that step.
  signed_in_at timestamptz,
  paying_at timestamptz,
  PRIMARY KEY (user_id, terms_version),
  CHECK (num_nonnulls(signed_in_at, paying_at) > 0),
  CHECK (length(terms_version) = 16),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- The kinds that each user picked (shared/push-kinds.ts). `daily_on`: the last UTC day with a message of a kind that is sent at most once a day.
CREATE TABLE push_settings (
  user_id bigint NOT NULL,
  kinds text[] NOT NULL,
  daily_on date,
  PRIMARY KEY (user_id),
  CHECK (kinds <@ ARRAY['money'::text, 'project'::text, 'votes_back'::text]),
  CHECK (cardinality(kinds) <= 3),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- A browser that gets messages, one for each session: it ends with its session. The keys are the browser's own (RFC 8291).
CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  endpoint text NOT NULL,
  public_key bytea NOT NULL,
  auth_secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  UNIQUE (endpoint),
  UNIQUE (token_hash),
  CHECK (octet_length(auth_secret) = 16),
  CHECK (length(endpoint) >= 10 AND length(endpoint) <= 1000),
  CHECK (octet_length(public_key) = 65),
  FOREIGN KEY (token_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id);

-- The queue: a message for one browser. `due_at` is the next attempt, null once it is sent. Rows stay for a day, so that their number is the
-- limit of a browser's messages per day.
CREATE TABLE push_messages (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  subscription_id bigint NOT NULL,
  kind text NOT NULL,
  text text NOT NULL,
  link text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  due_at timestamptz DEFAULT now(),
  attempts smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (attempts >= 0),
  CHECK (kind = ANY (ARRAY['money'::text, 'project'::text, 'votes_back'::text])),
  CHECK (link ~ '^/([^/]|$)'::text),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_messages_created_at_idx ON push_messages (created_at);
CREATE INDEX push_messages_due_idx ON push_messages (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX push_messages_subscription_id_idx ON push_messages (subscription_id);
CREATE INDEX push_messages_user_id_idx ON push_messages (user_id);

-- 'Now' by day (R58): the newest opinions of the 30 days before the end of each day on which they changed, for the files of the leaderboard.
-- count_project_days writes them.
CREATE TABLE now_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, day),
  CHECK (LEAST(bullish, bearish) >= 0)
);

CREATE TABLE catalogue_imports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- The name of the file.
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz,
  PRIMARY KEY (id),
  CHECK (octet_length(name) <= 400)
);

CREATE TABLE projects (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  category text NOT NULL,
  description text NOT NULL,
  image_hash text NOT NULL,
  twitter_handle text NOT NULL,
  website text,
  owner_id bigint NOT NULL,
  transaction_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  hidden_at timestamptz,
  hidden_reason text,
  -- False once a project is seen to be hidden or to have expired (list_project, delist-expired). An index cannot ask for the time, so it
  -- holds what is listed, and queries look at expires_at as well: a row that is still listed although it has just expired costs them
  -- a step, and is never shown. Every active project is listed, whatever writes to the table.
  listed boolean NOT NULL DEFAULT true,
  -- When each listing period of a project begins, in order; the first is the listing's own. The present period is the number of starts that
  -- are not after now (period_at): a vote reads it from the row of the project, which it reads anyway. A renewal appends a start.
  period_starts timestamptz[] NOT NULL DEFAULT ARRAY[now()],
  -- What a name has in common with others that people take for it (server/listings/projects/look-alike-key.ts); null: not known yet.
  look_alike_key text,
  -- The listing's newest version, when it began, and its identity: one more than before where name, picture, handle or website changed.
  version integer NOT NULL DEFAULT 1,
  version_at timestamptz NOT NULL DEFAULT now(),
  identity integer NOT NULL DEFAULT 1,
  -- As shared/coin-type.ts writes them.
  coin_type text,
  package_id text,
  -- Source of coin type and package. A lister's word proves nothing: anyone can publish a coin of any name.
  coin_source coin_source NOT NULL DEFAULT 'lister'::coin_source,
  -- Part of the catalogue; other listings are paid where they have a transaction.
  is_catalogue boolean NOT NULL DEFAULT false,
  -- The listing whose name looks the same, for one that was listed before a moderator looked at it.
  look_alike_of bigint,
  import_id bigint,
  -- Whole units of the coin that make a wallet one of its holders.
  coin_minimum bigint NOT NULL DEFAULT 1,
  -- When the coin, its minimum or its source changed last: readings until then are about something else. A trigger writes it.
  coin_set_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC'::text)::date,
  PRIMARY KEY (id),
  UNIQUE (slug),
  CHECK (category = ANY (ARRAY['DeFi'::text, 'NFT'::text, 'Gaming'::text, 'Meme'::text, 'Infrastructure'::text, 'DAO'::text, 'Social'::text, 'Other'::text])),
  CHECK (coin_minimum >= 1 AND coin_minimum <= '1000000000000000'::bigint),
  CHECK (octet_length(coin_type) <= 500),
  CHECK (char_length(description) >= 1 AND char_length(description) <= 200),
  CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  CHECK (package_id ~ '^0x[0-9a-f]{64}$'::text),
  FOREIGN KEY (import_id) REFERENCES catalogue_imports(id),
  FOREIGN KEY (look_alike_of) REFERENCES projects(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id)
);
-- The catalogue in its order, for its export and for the job that keeps it listed.
CREATE INDEX projects_catalogue_idx ON projects (id) WHERE is_catalogue;
-- What a row of an import is compared with.
CREATE INDEX projects_coin_type_idx ON projects (coin_type) WHERE coin_type IS NOT NULL;
-- The feed is a walk along this index: a fixed place for each project that has nothing to do with its age or its name.
-- It answers without the table, for which the planner has to find the bare id beside its hash.
CREATE INDEX projects_feed_idx ON projects (hashint8extended(id, 0::bigint)) INCLUDE (id, owner_id, expires_at) WHERE listed;
CREATE INDEX projects_hidden_page_idx ON projects (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX projects_import_id_idx ON projects (import_id, id) WHERE import_id IS NOT NULL;
-- How many are listed, in total and of one owner; and which have expired since.
CREATE INDEX projects_listed_expires_at_idx ON projects (expires_at) WHERE listed;
CREATE INDEX projects_listed_id_idx ON projects (id) INCLUDE (owner_id, expires_at, period_starts) WHERE listed;
CREATE INDEX projects_listed_owner_idx ON projects (owner_id, expires_at) WHERE listed;
CREATE INDEX projects_look_alike_key_idx ON projects (look_alike_key) WHERE hidden_at IS NULL AND look_alike_key IS NOT NULL;
CREATE INDEX projects_look_alike_of_idx ON projects (look_alike_of) WHERE look_alike_of IS NOT NULL;
-- Lists in pages.
CREATE INDEX projects_owner_page_idx ON projects (owner_id, id DESC);
-- The listings whose coin is read.
CREATE INDEX projects_read_coins_idx ON projects (id) WHERE coin_type IS NOT NULL AND coin_source <> 'lister'::coin_source AND hidden_at IS NULL;
-- Slugs are names in Latin letters (shared/slug.ts), so that accents and scripts make no difference.
CREATE INDEX projects_slug_trigrams_idx ON projects USING gin (slug gin_trgm_ops) WHERE hidden_at IS NULL;
CREATE INDEX projects_twitter_handle_idx ON projects (lower(twitter_handle));
CREATE INDEX projects_website_idx ON projects (lower(website)) WHERE website IS NOT NULL;
CREATE INDEX projects_without_look_alike_key_idx ON projects (id) WHERE look_alike_key IS NULL;

-- Every slug a project ever had, written by keep_slug: the present one is projects.slug, the others redirect to it.
CREATE TABLE project_slugs (
  slug text NOT NULL,
  project_id bigint NOT NULL,
  PRIMARY KEY (slug),
  UNIQUE (slug, project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE reviews (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  user_id bigint NOT NULL,
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  hidden_at timestamptz,
  hidden_reason text,
  PRIMARY KEY (id),
  CHECK (char_length(content) >= 1 AND char_length(content) <= 200),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX reviews_hidden_page_idx ON reviews (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX reviews_project_id_idx ON reviews (project_id, id DESC) WHERE hidden_at IS NULL;

-- A voter's note about votes that do not count, and the admin's answer.
CREATE TABLE appeals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamptz,
  -- Appeals against hiding a paid listing, once each (R80). Appeals without a project are about votes: one of them may be open at a time.
  project_id bigint,
  PRIMARY KEY (id),
  UNIQUE (project_id),
  CHECK (char_length(answer) >= 1 AND char_length(answer) <= 300),
  CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX appeals_answered_page_idx ON appeals (id DESC) WHERE answered_at IS NOT NULL;
-- One open appeal of a user.
CREATE UNIQUE INDEX appeals_open_key ON appeals (user_id) WHERE answered_at IS NULL AND project_id IS NULL;
CREATE INDEX appeals_open_page_idx ON appeals (id) WHERE answered_at IS NULL;
CREATE INDEX appeals_user_id_idx ON appeals (user_id, id DESC);

-- One reply of the project's owner to a review. A hidden one keeps its row: writing it again must not undo the decision.
CREATE TABLE review_replies (
  review_id bigint NOT NULL,
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  hidden_at timestamptz,
  hidden_reason text,
  PRIMARY KEY (review_id),
  CHECK (char_length(content) >= 1 AND char_length(content) <= 200),
  FOREIGN KEY (review_id) REFERENCES reviews(id) ON DELETE CASCADE
);
CREATE INDEX review_replies_hidden_page_idx ON review_replies (review_id DESC) WHERE hidden_at IS NOT NULL;

-- The end of a listing that its owner was told about.
CREATE TABLE expiry_notices (
  project_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE project_events_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  kind event_kind NOT NULL,
  source event_source NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (project_id, day, kind, source),
  CHECK (count > 0),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE listing_versions (
  project_id bigint NOT NULL,
  number integer NOT NULL,
  identity integer NOT NULL,
  -- Null where a moderator blanked the version; only the hash stays.
  name text,
  image_hash text,
  twitter_handle text,
  website text,
  category text,
  description text,
  salt bytea,
  -- versionHash of record/entries/sealed.ts.
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  blanked_at timestamptz,
  -- A moderator confirmed that the project with this identity is the one before it; set on the first version of the identity.
  same_at timestamptz,
  -- Whether the public record has the entry of the version, and that of same_at.
  is_recorded boolean NOT NULL DEFAULT false,
  is_same_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, number),
  CHECK (
CASE
    WHEN blanked_at IS NULL THEN num_nulls(name, image_hash, twitter_handle, category, description, salt) = 0
    ELSE num_nonnulls(name, image_hash, twitter_handle, website, category, description, salt) = 0
END),
  CHECK (identity >= 1 AND identity <= number),
  CHECK (octet_length(hash) = 32),
  CHECK (number >= 1),
  CHECK (octet_length(salt) = 16),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
-- Whether a picture is still part of a version (server/listings/images/unused.ts).
CREATE INDEX listing_versions_image_hash_idx ON listing_versions (image_hash) WHERE image_hash IS NOT NULL;
-- What the next batch of the record has to contain.
CREATE INDEX listing_versions_unrecorded_idx ON listing_versions (project_id, number) WHERE NOT is_recorded OR same_at IS NOT NULL AND NOT is_same_recorded;

-- Changes of identity that no moderator marked as the same project, with the votes on either side of each. Written by keep_version, counted with the
-- verified votes (server/figures/standing/count-verified.ts) and the trends (count_trends).
CREATE TABLE identity_changes (
  project_id bigint NOT NULL,
  -- The identity since the change, and the first version that has it.
  identity integer NOT NULL,
  number integer NOT NULL,
  changed_at timestamptz NOT NULL,
  what text[] NOT NULL,
  -- The name before a change of the name; null where that version was blanked.
  old_name text,
  -- Opinions that count and were given before the change.
  votes_before bigint NOT NULL,
  -- Verified opinions since the change, and those of the last seven days (see project_trends).
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  trend_bullish bigint NOT NULL DEFAULT 0,
  trend_bearish bigint NOT NULL DEFAULT 0,
  trend_weight bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, identity),
  CHECK (LEAST(votes_before, bullish, bearish, trend_bullish, trend_bearish, trend_weight) >= 0),
  CHECK (what <@ ARRAY['name'::text, 'picture'::text, 'handle'::text, 'website'::text] AND cardinality(what) >= 1),
  FOREIGN KEY (project_id, number) REFERENCES listing_versions(project_id, number) ON DELETE CASCADE
);

-- Notifies a project's voters of its changes: one round at a time, and at most one a day (server/people/notices/notify-changes.ts).
CREATE TABLE change_notices (
  project_id bigint NOT NULL,
  -- The open round: the version before its changes, and the last user that was checked; null between rounds.
  from_number integer,
  after_user bigint,
  started_at timestamptz,
  -- The version before the first change that no round is about; null: there is none.
  next_number integer,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX change_notices_due_idx ON change_notices (project_id) WHERE from_number IS NOT NULL OR next_number IS NOT NULL;

-- The newest proof for a listing. Salt and hash are those of an `owner` entry in docs/use/record.md. Triggers write since and ownership_events.
CREATE TABLE ownerships (
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  -- The coin type or package that the listing names.
  subject text NOT NULL,
  -- Null after the account of the wallet was deleted; only the hash stays.
  wallet text,
  salt bytea,
  -- The object that was held, and the newest checkpoint before it was read; null for a proof accepted by hand.
  object_type text,
  object_id text,
  object_version numeric(20,0),
  checkpoint numeric(20,0),
  hash bytea NOT NULL,
  -- The admin's reason for a proof accepted by hand.
  reason text,
  since timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id),
  CHECK (octet_length(hash) = 32),
  CHECK (octet_length(salt) = 16),
  CHECK (octet_length(subject) <= 500),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
-- Which proofs are due for another look.
CREATE INDEX ownerships_due_idx ON ownerships (checked_at) WHERE state = ANY (ARRAY['controls'::ownership_state, 'proven'::ownership_state]);
-- Two listings of one coin cannot both be proven.
CREATE UNIQUE INDEX ownerships_subject_key ON ownerships (subject) WHERE state = ANY (ARRAY['proven'::ownership_state, 'accepted'::ownership_state]);

-- What became of proofs, for the public record.
CREATE TABLE ownership_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  CHECK (octet_length(hash) = 32),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ownership_events_project_id_idx ON ownership_events (project_id);
CREATE INDEX ownership_events_unrecorded_idx ON ownership_events (project_id, id) WHERE NOT is_recorded;

-- Decimals of these coins, from the metadata on the chain; null for a coin without any.
CREATE TABLE coin_decimals (
  coin_type text NOT NULL,
  decimals smallint,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (coin_type),
  CHECK (octet_length(coin_type) <= 500),
  CHECK (decimals >= 0 AND decimals <= 255)
);

-- A reading of the coins of all voters, after the readings of standing of its day; its pace is theirs.
CREATE TABLE holder_readings (
  day date NOT NULL,
  wallets integer NOT NULL,
  finished_at timestamptz,
  max_per_second real,
  pause_ms integer NOT NULL DEFAULT 0,
  paused_until timestamptz,
  PRIMARY KEY (day),
  CHECK (max_per_second > 0::double precision),
  CHECK (pause_ms >= 0),
  CHECK (wallets >= 0)
);

-- Wallets that it has still to read, in a random order.
CREATE TABLE holder_reads (
  user_id bigint NOT NULL,
  place integer NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);
CREATE INDEX holder_reads_order_idx ON holder_reads (attempts, place);

-- Days read and held of each voter and project, as in voter_standing.
CREATE TABLE holder_standing (
  project_id integer NOT NULL,
  user_id bigint NOT NULL,
  read_on date NOT NULL,
  days_read smallint NOT NULL,
  days_held smallint NOT NULL,
  PRIMARY KEY (project_id, user_id),
  CHECK (days_held >= 0 AND days_held <= 127),
  CHECK (days_read >= 1 AND days_read <= 7)
) WITH (fillfactor=75);
CREATE INDEX holder_standing_user_id_idx ON holder_standing (user_id);

-- What is shown and recorded: verified votes of holders and of others, a row a week where enough of them are new.
CREATE TABLE holder_figures (
  project_id integer NOT NULL,
  day date NOT NULL,
  holders_bullish bigint NOT NULL,
  holders_bearish bigint NOT NULL,
  others_bullish bigint NOT NULL,
  others_bearish bigint NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now(),
  -- The day of the batch of the public record that has it.
  recorded_on date,
  PRIMARY KEY (project_id, day),
  CHECK (holders_bearish >= 0),
  CHECK (holders_bullish >= 0),
  CHECK (others_bearish >= 0),
  CHECK (others_bullish >= 0),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX holder_figures_unrecorded_idx ON holder_figures (project_id, day) WHERE recorded_on IS NULL;

ALTER TABLE projects ADD FOREIGN KEY (slug, id) REFERENCES project_slugs(slug, project_id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE log_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE liability_nodes ALTER COLUMN bytes SET STORAGE EXTERNAL;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

-- Every entry there is: the balance of a user is the sum of these. ref of a reward is the project.
CREATE VIEW ledger_entries AS
  SELECT user_id, 'vote_reward'::ledger_kind AS kind, project_id::bigint AS ref, tokens::bigint AS amount, created_at FROM votes
  UNION ALL
  SELECT user_id, 'vote_reward'::ledger_kind, project_id::bigint, tokens::bigint, created_at FROM undone_votes WHERE tokens > 0
  UNION ALL
  SELECT user_id, kind, ref, amount, created_at FROM token_ledger;

-- Every opinion. `created_at` is when the vote was cast, `said_at` when the opinion was given.
CREATE VIEW opinions AS
  SELECT user_id, project_id, period, created_at, created_at AS said_at, created_at AS turned_at, bullish FROM votes
  UNION ALL
  SELECT user_id, project_id, period, cast_at, said_at, turned_at, bullish FROM vote_changes;

-- Every opinion with its state. The one place where the rule of a state is in SQL; shared/states/votes.ts is the same as a function. A
-- moderator's decision wins over the rhythm rule, both win over the readings. Both set aside the vote with all changes of it, so a change
-- washes nothing; a decision after 35 days is about one opinion. `changed_at`: the next opinion of the same period, null for the newest;
-- opinions as of a moment T are those with said_at < T and (changed_at >= T) IS NOT FALSE.
CREATE VIEW opinion_states AS
  SELECT x.*, CASE WHEN x.replaced_at IS NULL THEN x.unreplaced_state ELSE 'replaced'::text::vote_state END AS state
  FROM (
    SELECT o.user_id, o.project_id, o.period, o.bullish, o.created_at, o.said_at, o.turned_at, c.said_at AS changed_at, n.created_at AS replaced_at,
      CASE
        WHEN m.reason IS NOT NULL THEN m.reason
        WHEN r.reason IS NOT NULL THEN r.reason
        WHEN d.state IS NOT NULL THEN d.state
        WHEN s.state = 'standing' THEN 'verified'
        ELSE 'waiting'
      END::vote_state AS unreplaced_state
    FROM opinions o
    LEFT JOIN vote_changes c ON c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at
    LEFT JOIN voter_standing s ON s.user_id = o.user_id
    LEFT JOIN vote_decisions d ON d.user_id = o.user_id AND d.project_id = o.project_id AND d.period = o.period AND d.cast_at = o.said_at
    LEFT JOIN votes_set_aside m ON m.user_id = o.user_id AND m.project_id = o.project_id AND m.period = o.period AND m.reason = 'moderator'
    LEFT JOIN votes_set_aside r ON r.user_id = o.user_id AND r.project_id = o.project_id AND r.period = o.period AND r.reason = 'rhythm'
    -- Votes of later periods, each beside the one that it replaces.
    LEFT JOIN (
      SELECT l.user_id, l.project_id, l.created_at, (SELECT max(e.period) FROM votes e
        WHERE e.user_id = l.user_id AND e.project_id = l.project_id AND e.period < l.period) AS replaces
      FROM votes l WHERE l.period > 1
    ) n ON n.user_id = o.user_id AND n.project_id = o.project_id AND n.replaces = o.period
  ) x;

-- Every vote with its newest opinion.
CREATE VIEW vote_states AS
  SELECT user_id, project_id, period, bullish, created_at, replaced_at, unreplaced_state, state, said_at, turned_at
  FROM opinion_states WHERE changed_at IS NULL;

-- The rule of a decision, for the newest opinion of every vote as if it were made now; shared/states/votes.ts is the same as a function.
-- Each change and each confirmation starts 35 days of its own (R38): `cast_at` is when the opinion was given. Of the days after that day
-- the first 35 count, and with fewer than ten days read among them all that were read since. Deleted accounts are not read any longer: they
-- do not wait.
CREATE VIEW vote_evidence AS
  SELECT o.user_id, o.project_id, o.period, o.said_at AS cast_at, e.days_read, e.days_held, CASE
      WHEN e.days_read < 10 AND u.deleted_at IS NULL THEN 'waiting'
      WHEN e.days_read >= 10 AND 2 * e.days_held > e.days_read THEN 'verified'
      ELSE 'no_standing'
    END::vote_state AS decision
  FROM opinions o
  JOIN users u ON u.id = o.user_id
  LEFT JOIN voter_standing s ON s.user_id = o.user_id
  -- Days read on the site up to the last one on which the wallet was, within the 35 days and behind them.
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.day <= x.day + 35)::int AS within, count(*) FILTER (WHERE d.day > x.day + 35)::int AS behind
    FROM (SELECT (o.said_at AT TIME ZONE 'UTC')::date AS day) x
    JOIN standing_days d ON d.day > x.day AND d.day <= s.read_on AND d.skipped IS NULL
  ) n
  CROSS JOIN LATERAL (
    SELECT (s.history_read >> n.behind) & ((-1)::bit(64) >> (64 - n.within)) AS read_within,
      (s.history_held >> n.behind) & ((-1)::bit(64) >> (64 - n.within)) AS held_within,
      s.history_read & ((-1)::bit(64) >> greatest(64 - n.within - n.behind, 0)) AS read_since,
      s.history_held & ((-1)::bit(64) >> greatest(64 - n.within - n.behind, 0)) AS held_since
  ) b
  CROSS JOIN LATERAL (
    SELECT coalesce(bit_count(CASE WHEN bit_count(b.read_within) < 10 THEN b.read_since ELSE b.read_within END), 0)::smallint AS days_read,
      coalesce(bit_count(CASE WHEN bit_count(b.read_within) < 10 THEN b.held_since ELSE b.held_within END), 0)::smallint AS days_held
  ) e
  WHERE NOT EXISTS (SELECT FROM vote_changes c
    WHERE c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at);

INSERT INTO config VALUES ('WITHDRAWALS_PAUSED', 'false');
INSERT INTO payout_history (known_until) VALUES (now());
INSERT INTO totals_state DEFAULT VALUES;
