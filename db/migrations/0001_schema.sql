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
  'reply_unhidden'
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
  'sentence_burn',
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
  'name_review',
  'vote_excluded',
  'turned'
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

CREATE TYPE report_reason AS ENUM (
  'spam',
  'scam',
  'abuse',
  'impersonation',
  'other',
  'ownership'
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
  'paid',
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
  -- A deleted account keeps its number, under which its votes and ledger entries stay. One row with the wallet 'deleted' owns the listings and
  -- payments of all deleted accounts, because the chain would lead from them to a wallet. Accurate to the day.
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
CREATE INDEX users_avatar_hash_idx ON users (avatar_hash) WHERE avatar_hash IS NOT NULL;
CREATE INDEX users_created_at_idx ON users (created_at);
CREATE INDEX users_deleted_at_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX users_username_key ON users (lower(username));

-- The token itself is only in the browser's cookie. `last_seen_at` is accurate to the hour; votes do not write it.
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

-- Messages for wallets to sign; deleted at the first use.
CREATE TABLE auth_challenges (
  nonce text NOT NULL,
  wallet_address text NOT NULL,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  purpose text NOT NULL DEFAULT 'sign_in'::text,
  PRIMARY KEY (nonce),
  CHECK (purpose = ANY (ARRAY['sign_in'::text, 'delete_account'::text]))
);
CREATE INDEX auth_challenges_expires_at_idx ON auth_challenges (expires_at);

-- Re-encoded pictures. width_px 0 is the full size, whose bytes give the hash: the first half of their SHA-256.
CREATE TABLE images (
  hash text NOT NULL,
  width_px integer NOT NULL DEFAULT 0,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- An upload is not decoded twice for the same shape.
  upload_hash text,
  is_square boolean NOT NULL DEFAULT false,
  PRIMARY KEY (hash, width_px)
);
CREATE INDEX images_upload_hash_idx ON images (upload_hash) WHERE upload_hash IS NOT NULL;

-- Pictures that a moderator blanked (R86), by the hashes of the upload and of each stored size. Neither intake nor serving knows an exception.
CREATE TABLE blanked_pictures (
  hash text NOT NULL,
  blanked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (hash)
);

-- Append-only (refuse_change). The row of a vote is also the ledger entry of its reward (R13). A user has one vote per project and listing
-- period (R45). The order of the columns keeps a row at 56 bytes and its index entry at 24.
CREATE TABLE votes (
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period)
);
-- Votes are appended in the order of their time, so this index is tiny and an insert does not touch it.
CREATE INDEX votes_created_at_idx ON votes USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
-- Finds votes of later periods, each of which replaces an earlier one (vote_states).
CREATE INDEX votes_later_periods_idx ON votes (user_id, project_id, period) WHERE period > 1;

-- All changes of balances that are not votes, append-only (refuse_change). `ref` is the review of a burn, otherwise the withdrawal.
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
CREATE INDEX token_ledger_burned_idx ON token_ledger (created_at) INCLUDE (amount) WHERE kind IN ('review_burn'::ledger_kind, 'sentence_burn'::ledger_kind);
CREATE INDEX token_ledger_created_at_idx ON token_ledger USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

CREATE TABLE project_stats (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=25);

-- balance is the sum of ledger_entries (check_balance), tokens_earned that of the vote rewards.
CREATE TABLE user_stats (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL DEFAULT 0,
  bullish integer NOT NULL DEFAULT 0,
  bearish integer NOT NULL DEFAULT 0,
  streak integer NOT NULL DEFAULT 0,
  -- UTC day of the newest vote.
  last_day date,
  window_started_at timestamptz,
  window_votes smallint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  tokens_earned bigint NOT NULL DEFAULT 0,
  -- Projects on which a former account of the wallet voted; null for nearly all users.
  barred_projects integer[],
  -- The most that the user had earned before an undo (R10).
  peak_earned bigint NOT NULL DEFAULT 0,
  -- The last listing period barred, by the place in barred_projects; null bars the project for good (R67).
  barred_periods smallint[],
  -- Votes cast earlier can no longer be undone (R59): a later vote was cast, or the result was shown.
  undoable_from timestamptz,
  PRIMARY KEY (user_id),
  CHECK (balance >= 0)
) WITH (fillfactor=75);

-- Published totals of voters by number: others see no newer ones (refresh_top_voters). It has at most as many rows as there are projects.
CREATE TABLE vote_totals (
  day date NOT NULL,
  total_votes integer NOT NULL,
  users bigint NOT NULL,
  in_steps boolean NOT NULL,
  PRIMARY KEY (total_votes)
);

-- The first hundred rows of vote_totals.
CREATE TABLE top_voters (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL,
  PRIMARY KEY (user_id)
);

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

-- Every wallet that was ever ADMIN_WALLET, written by the server alone. The console's role has no rights here and so cannot name a wallet as
-- ours. A transaction up to a day after last_used_at still pays us; set it to '1970-01-01' for a stolen wallet.
CREATE TABLE payment_recipients (
  address text NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (address),
  CHECK (address ~ '^0x[0-9a-f]{64}$'::text)
);

-- A draft is stored before any money moves. A digest named by a client is a row too. project_id has no foreign key: a receipt outlives its
-- project.
CREATE TABLE payments (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL,
  purpose payment_purpose NOT NULL,
  state payment_state NOT NULL,
  project_id bigint,
  draft jsonb NOT NULL,
  order_hash text NOT NULL,
  amount_mist bigint NOT NULL,
  -- The reference keeps it one of our wallets, even when the console updates payments.
  recipient text,
  received_mist bigint,
  -- Set when the payer's own wallet did not pay: a refund goes here.
  paid_by text,
  chain_id text,
  digest text,
  transaction bytea,
  signature text,
  failure_code text,
  message text,
  refunded_mist bigint,
  refund_digest text,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  -- When the digest became known; a digest that no node has seen is given up 24 h later.
  signed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (id),
  CHECK (amount_mist > 0),
  CHECK ((state = ANY (ARRAY['draft'::payment_state, 'expired'::payment_state])) OR digest IS NOT NULL),
  CHECK ((state <> ALL (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state])) OR chain_id IS NOT NULL),
  CHECK (refunded_mist > 0),
  FOREIGN KEY (recipient) REFERENCES payment_recipients(address),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
-- The lock against paying twice with one transaction. Only money seen on chain takes it, so naming a digest does not block its payer.
CREATE UNIQUE INDEX payments_digest_key ON payments (chain_id, digest) WHERE state = ANY (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state]);
CREATE INDEX payments_failed_claims_idx ON payments (updated_at) WHERE state = 'failed'::payment_state AND transaction IS NULL;
CREATE INDEX payments_listing_fee_idx ON payments (project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL AND (purpose = ANY (ARRAY['submit'::payment_purpose, 'renew'::payment_purpose])) AND (state = 'fulfilled'::payment_state OR state = 'refunded'::payment_state AND failure_code = 'listing_hidden'::text);
CREATE INDEX payments_open_idx ON payments (next_try_at) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state, 'failed'::payment_state]);
CREATE INDEX payments_order_idx ON payments (user_id, order_hash) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state]);
CREATE INDEX payments_page_idx ON payments (created_at DESC, id DESC);
CREATE INDEX payments_refund_digest_idx ON payments (refund_digest) WHERE refund_digest IS NOT NULL;
CREATE INDEX payments_state_page_idx ON payments (state, created_at DESC, id DESC);
CREATE INDEX payments_unclaimed_idx ON payments (created_at) WHERE state = 'unclaimed'::payment_state;
CREATE UNIQUE INDEX payments_user_digest_key ON payments (user_id, digest) WHERE state <> ALL (ARRAY['failed'::payment_state, 'expired'::payment_state]);
CREATE INDEX payments_user_page_idx ON payments (user_id, created_at DESC, id DESC);

-- Books on the chain (R97). Payouts go through the one that has not ended, which SNAPS_BOOK names too.
CREATE TABLE books (
  id smallint GENERATED ALWAYS AS IDENTITY NOT NULL,
  object_id text NOT NULL,
  package_id text NOT NULL,
  coin_type text NOT NULL,
  decimals smallint NOT NULL,
  shared_since bigint NOT NULL,
  -- The object whose fields are the totals.
  table_id text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  UNIQUE (object_id),
  CHECK (object_id ~ '^0x[0-9a-f]{64}$'::text)
);
CREATE UNIQUE INDEX books_open_key ON books ((true)) WHERE ended_at IS NULL;

-- All that was ever approved for an account in a Book, in units of the coin.
CREATE TABLE book_totals (
  book_id smallint NOT NULL,
  user_id bigint NOT NULL,
  units numeric(20,0) NOT NULL,
  -- Part of the total that comes from a deleted account of the same wallet.
  carried numeric(20,0) NOT NULL DEFAULT 0,
  PRIMARY KEY (book_id, user_id),
  CHECK (units >= carried),
  CHECK (carried >= 0::numeric),
  FOREIGN KEY (book_id) REFERENCES books(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX book_totals_user_id_idx ON book_totals (user_id);

-- Totals of deleted accounts, under a keyed hash of the wallet; key_check identifies the key.
CREATE TABLE former_totals (
  book_id smallint NOT NULL,
  wallet_hash bytea NOT NULL,
  key_check bytea NOT NULL,
  units numeric(20,0) NOT NULL,
  PRIMARY KEY (book_id, wallet_hash),
  CHECK (octet_length(wallet_hash) = 32),
  CHECK (octet_length(key_check) = 32),
  FOREIGN KEY (book_id) REFERENCES books(id)
);
CREATE INDEX former_totals_key_check_idx ON former_totals (key_check);

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL,
  state withdrawal_state NOT NULL DEFAULT 'requested'::withdrawal_state,
  idempotency_key text NOT NULL DEFAULT gen_random_uuid()::text,
  digest text,
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Paid when the Book's total of the wallet reaches the mark; null if payouts are recorded by hand.
  book_id smallint,
  mark numeric(20,0),
  -- The Book had already paid up to the mark when the withdrawal was approved.
  paid_earlier boolean NOT NULL DEFAULT false,
  -- Paid by a transaction outside of any Book, which the record names.
  by_hand boolean NOT NULL DEFAULT false,
  -- The chain's reason for refusing the withdrawal; automatic payouts leave it out.
  refused_reason text,
  -- The last payout of the server's key.
  sent_by text,
  sent_at timestamptz,
  -- Approved by the rule, or last checked by it (R79).
  auto_approved_at timestamptz,
  auto_checked_at timestamptz,
  PRIMARY KEY (id),
  UNIQUE (user_id, idempotency_key),
  CHECK (state <> 'paid'::withdrawal_state OR digest IS NOT NULL OR wallet_address ~~ 'deleted-%'::text),
  CHECK (token_amount >= 50),
  CHECK ((book_id IS NULL) = (mark IS NULL)),
  FOREIGN KEY (book_id) REFERENCES books(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX withdrawals_auto_approved_idx ON withdrawals (auto_approved_at) WHERE auto_approved_at IS NOT NULL;
CREATE INDEX withdrawals_book_id_idx ON withdrawals (book_id, user_id, mark) WHERE book_id IS NOT NULL;
CREATE INDEX withdrawals_created_at_idx ON withdrawals (created_at);
CREATE INDEX withdrawals_sent_idx ON withdrawals (sent_by, sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX withdrawals_settled_idx ON withdrawals (updated_at) WHERE state = ANY (ARRAY['paid'::withdrawal_state, 'rejected'::withdrawal_state]);
CREATE INDEX withdrawals_state_idx ON withdrawals (state, id);
CREATE INDEX withdrawals_unchecked_idx ON withdrawals (auto_checked_at NULLS FIRST, id) WHERE state = 'requested'::withdrawal_state;
CREATE INDEX withdrawals_user_page_idx ON withdrawals (user_id, id DESC);

-- A password login ends with its wallet session (R31).
CREATE TABLE admin_sessions (
  token_hash bytea NOT NULL,
  session_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE
);
CREATE INDEX admin_sessions_session_hash_idx ON admin_sessions (session_hash);

-- Attempts are counted before the password is checked.
CREATE TABLE admin_login_attempts (
  wallet_address text NOT NULL,
  attempts integer NOT NULL,
  locked_until timestamptz,
  -- Attempts while the login was locked; one line of the audit log has their number.
  refused integer NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_address),
  CHECK (refused >= 0)
);

-- Append-only: refuse_change stops every role, and a REVOKE the owner before that.
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
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id DESC);

CREATE TABLE config (
  config_key text NOT NULL,
  config_value text NOT NULL,
  PRIMARY KEY (config_key)
);

CREATE TABLE job_runs (
  name text NOT NULL,
  started_at timestamptz NOT NULL,
  -- The last run; `error` is null after a success.
  finished_at timestamptz,
  succeeded_at timestamptz,
  duration_ms integer,
  error text,
  PRIMARY KEY (name),
  CHECK (duration_ms >= 0),
  CHECK (length(error) <= 500)
);

-- The moments are drawn when the UTC day begins and stay secret until it ends: the console's role has no rights here.
CREATE TABLE standing_readings (
  day date NOT NULL,
  reading smallint NOT NULL,
  starts_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  failed_because text,
  wallets integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  -- Progress, the pace that the node allows, and the end of a pause.
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

-- Wallets of readings in progress, each at a random place, until the day is closed. No balance is stored.
CREATE TABLE standing_reads (
  day date NOT NULL,
  reading smallint NOT NULL,
  place integer NOT NULL,
  user_id bigint NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  has_enough boolean,
  PRIMARY KEY (day, reading, place)
);
CREATE INDEX standing_reads_left_idx ON standing_reads (day, reading, attempts, place) WHERE has_enough IS NULL;

-- Closed days; a skipped day counts neither for nor against a wallet.
CREATE TABLE standing_days (
  day date NOT NULL,
  skipped text,
  -- Wallets read in both readings, and those that held enough in both.
  wallets integer NOT NULL DEFAULT 0,
  standing integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day),
  CHECK (standing >= 0 AND standing <= wallets),
  CHECK (skipped IS NULL OR wallets = 0)
);

-- Results of the readings by voter, and what the Sundays decided by them (R38; server/figures/standing/decide-week.ts).
CREATE TABLE voter_standing (
  user_id bigint NOT NULL,
  read_on date NOT NULL,
  -- waiting: no Sunday has looked at this voter yet.
  state voter_state NOT NULL DEFAULT 'waiting'::voter_state,
  -- A bit for each of the last 64 days of the site that were not skipped, newest rightmost, as of read_on.
  history_read bit(64) NOT NULL DEFAULT 0::bit(64),
  history_held bit(64) NOT NULL DEFAULT 0::bit(64),
  history_unread bit(64) NOT NULL DEFAULT 0::bit(64),
  -- Opinions given on these days are verified; those up to decided_until are decided for good. The last Sunday that decided.
  verified_days datemultirange NOT NULL DEFAULT '{}'::datemultirange,
  decided_until date NOT NULL DEFAULT '-infinity'::date,
  sunday date NOT NULL DEFAULT '-infinity'::date,
  PRIMARY KEY (user_id)
) WITH (fillfactor=75);

-- Lifting deletes the row; audit_log keeps the actor.
CREATE TABLE votes_set_aside (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  reason vote_state NOT NULL,
  detail text NOT NULL,
  actor text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['rhythm'::vote_state, 'moderator'::vote_state]))
);
CREATE INDEX votes_set_aside_page_idx ON votes_set_aside (created_at DESC, user_id DESC, project_id DESC, period DESC, reason DESC);

-- As of the last closed day. Projects without verified votes have no row.
CREATE TABLE verified_stats (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  -- Bullish votes of the last closed day that were excluded since; `bullish` is without them.
  excluded_since bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=50);

CREATE TABLE vote_state_days (
  day date NOT NULL,
  state vote_state NOT NULL,
  votes bigint NOT NULL,
  PRIMARY KEY (day, state),
  CHECK (votes > 0)
);

-- Days whose figures are final: every opinion given before `until` is counted in them (R94).
CREATE TABLE closed_days (
  day date NOT NULL,
  until timestamptz NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT now(),
  -- The reach of a new listing (R92): voters of the last 30 days, listings of these days with a whole first week, the median of its votes.
  voters integer NOT NULL DEFAULT 0,
  listings integer NOT NULL DEFAULT 0,
  first_week_votes integer,
  -- All Snaps at the end of the day (R94), and how many voters have some.
  issued bigint NOT NULL DEFAULT 0,
  granted bigint NOT NULL DEFAULT 0,
  burned bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  paid bigint NOT NULL DEFAULT 0,
  holders bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  -- Snaps of recorded votes, and of recorded payouts by hand, that a restore took out of these sums (R42).
  lost bigint NOT NULL DEFAULT 0,
  ahead bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day),
  UNIQUE (until)
);

-- Hashes of networks (/24 or /48) with the salt of the day, kept for 35 days.
CREATE TABLE voter_networks (
  day date NOT NULL,
  network bytea NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (day, network, user_id),
  CHECK (octet_length(network) = 16)
);
CREATE INDEX voter_networks_user_id_idx ON voter_networks (user_id, day);

-- Salts are deleted with their day: afterwards no hash can be traced to an address.
CREATE TABLE network_salts (
  day date NOT NULL,
  salt bytea NOT NULL,
  PRIMARY KEY (day),
  CHECK (octet_length(salt) = 32)
);

-- Days that the rhythm rule has compared.
CREATE TABLE rhythm_days (
  day date NOT NULL,
  networks integer NOT NULL,
  wallets integer NOT NULL,
  votes_set_aside integer NOT NULL,
  PRIMARY KEY (day)
);

-- Pseudonyms and salts derive from a voter's secret. The console's role has no rights here.
CREATE TABLE voter_secrets (
  user_id bigint NOT NULL,
  secret bytea NOT NULL,
  PRIMARY KEY (user_id),
  CHECK (octet_length(secret) = 32)
);

-- Files of a batch that is being written.
CREATE TABLE staged_files (
  run uuid NOT NULL,
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run, path)
);
ALTER TABLE staged_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Tiles and gzipped bundles by their C2SP tlog-tiles paths. Append-only.
CREATE TABLE log_files (
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (path)
);

-- A batch has the votes cast before `until` that no earlier batch has. Append-only.
CREATE TABLE log_checkpoints (
  size bigint NOT NULL,
  day date NOT NULL,
  until timestamptz NOT NULL,
  -- Votes in the batch, and the newest recorded day of readings.
  votes bigint NOT NULL,
  standing_day date,
  root bytea NOT NULL,
  signed_note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The wallet that the log names up to here.
  anchor_sender text,
  -- Sums of the log up to here: votes without changes, and Snaps paid by hand.
  vote_count bigint NOT NULL DEFAULT 0,
  by_hand bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (size),
  UNIQUE (until),
  CHECK (octet_length(root) = 32),
  CHECK (size > 0)
);

-- Anchors are stored before they are sent.
CREATE TABLE log_anchors (
  size bigint NOT NULL,
  chain_id text NOT NULL,
  digest text NOT NULL,
  transaction bytea NOT NULL,
  signature text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT now(),
  anchored_at timestamptz,
  PRIMARY KEY (size),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

-- Totals of projects as the record states them.
CREATE TABLE recorded_totals (
  project_id integer NOT NULL,
  period smallint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  verified_bullish bigint NOT NULL,
  verified_bearish bigint NOT NULL,
  PRIMARY KEY (project_id, period)
);

-- Rows of votes that undo_vote deleted. Append-only. token_ledger has an entry of kind vote_undone for each (ref: this id).
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

-- Figures at the end of closed days with a change; days without a row equal the day before.
CREATE TABLE project_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  -- Newest opinions at the end of the day.
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  votes bigint NOT NULL,
  verified_bullish bigint NOT NULL DEFAULT 0,
  verified_bearish bigint NOT NULL DEFAULT 0,
  -- Voters who turned on the day, by a change or by a vote in a later period.
  turned_bullish bigint NOT NULL DEFAULT 0,
  turned_bearish bigint NOT NULL DEFAULT 0,
  -- Verified votes since the last change of identity (R27).
  rank_votes bigint NOT NULL DEFAULT 0,
  -- 'Now': opinions of the last 30 days (R58).
  now_bullish bigint NOT NULL DEFAULT 0,
  now_bearish bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, day),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0),
  CHECK (LEAST(now_bullish, now_bearish) >= 0),
  CHECK (rank_votes >= 0),
  CHECK (turned_bearish >= 0),
  CHECK (turned_bullish >= 0),
  CHECK (verified_bearish >= 0),
  CHECK (verified_bullish >= 0),
  CHECK (votes >= 0)
);
CREATE INDEX project_days_day_idx ON project_days (day);

-- Verified votes of the last seven closed days (shared/figures/trending.ts).
CREATE TABLE project_trends (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  -- Weight 7 for a vote of the last closed day, down to 1.
  weight bigint NOT NULL,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0),
  CHECK (weight >= 0)
);

-- subject_id of a reply is the id of its review.
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
CREATE INDEX reports_open_page_idx ON reports (id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_subject_idx ON reports (subject, subject_id, id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_user_idx ON reports (user_id) WHERE resolved_at IS NULL;
CREATE INDEX reports_resolved_at_idx ON reports (resolved_at) WHERE resolved_at IS NOT NULL;

-- The newest 200 of each user are kept. `link` is a path of the page.
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

-- The deck of a user's UTC day (R49), replaced on the next one.
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

-- Wallets with a role (R54). The owner is ADMIN_WALLET and has no row.
CREATE TABLE admins (
  wallet_address text NOT NULL,
  role text NOT NULL,
  -- A scrypt hash, by which admin sessions are keyed: another password ends them.
  password_hash text NOT NULL,
  -- Expiry of a one-time password; null once the person has chosen the password.
  password_expires_at timestamptz,
  -- The wallet may have sent refunds.
  has_paid boolean NOT NULL,
  granted_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  PRIMARY KEY (wallet_address),
  CHECK (has_paid OR role <> 'payer'::text),
  CHECK (role = ANY (ARRAY['payer'::text, 'moderator'::text])),
  CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'::text)
);

-- Key of the hashes below, unless ACCOUNT_KEY is set.
CREATE TABLE account_keys (
  id smallint NOT NULL DEFAULT 1,
  key bytea NOT NULL,
  PRIMARY KEY (id),
  CHECK (id = 1),
  CHECK (octet_length(key) = 32)
);

-- Keyed hashes of wallets whose accounts were deleted. A returning wallet votes from `votes_from` on.
CREATE TABLE deleted_wallets (
  wallet_hash bytea NOT NULL,
  votes_from timestamptz NOT NULL,
  returned_from timestamptz,
  returns smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_hash),
  CHECK (octet_length(wallet_hash) = 32)
);

-- Keyed hashes of a deleted account's wallet and each project that it voted on or listed.
CREATE TABLE deletion_marks (
  mark bytea NOT NULL,
  PRIMARY KEY (mark),
  CHECK (octet_length(mark) = 16)
);

-- Lets a server notice a restored copy, whose lost payouts may already be paid (R97).
CREATE TABLE database_copies (
  one boolean NOT NULL DEFAULT true,
  -- Cluster, timeline and database that the server has last seen.
  database_id text,
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- Events between these moments may be missing.
  lost_from timestamptz,
  lost_until timestamptz,
  -- On a site without a coin, an admin has compared what was paid by hand until this restore (R56).
  compared_until timestamptz,
  PRIMARY KEY (one),
  CHECK ((lost_from IS NULL) = (lost_until IS NULL)),
  CHECK (one)
);

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

-- A backup contains its own row unfinished; the restore completes it.
CREATE TABLE backups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  bytes bigint,
  tables integer,
  checksum text,
  error text,
  PRIMARY KEY (id),
  CHECK (bytes >= 0),
  CHECK (error IS NULL OR finished_at IS NOT NULL),
  CHECK (kind = ANY (ARRAY['dump'::text, 'physical'::text])),
  CHECK (tables >= 0)
);
CREATE INDEX backups_finished_at_idx ON backups (finished_at DESC) WHERE error IS NULL;

-- Restores of the database to an earlier moment.
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- Later commits are lost.
  moment timestamptz NOT NULL,
  -- The record waits until the operator has put back the days published later, or confirmed that none exist.
  record_waits boolean NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE storage_figures (
  day date NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (day, name),
  CHECK (bytes >= 0)
);

-- Digests of all recorded votes, computed from the votes after each publication.
CREATE TABLE record_digests (
  project_id integer NOT NULL,
  period smallint NOT NULL,
  size bigint NOT NULL,
  digest text NOT NULL,
  bullish bigint,
  bearish bigint,
  PRIMARY KEY (project_id, period),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

-- Cosignatures of witnesses (C2SP tlog-cosignature). Append-only.
CREATE TABLE log_cosignatures (
  size bigint NOT NULL,
  witness text NOT NULL,
  line text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (size, witness),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);


CREATE TABLE user_allowances (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamptz NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (user_id, kind),
  CHECK (kind = ANY (ARRAY['archives'::text, 'open_archive'::text, 'pictures'::text, 'push_tests'::text, 'uploads'::text])),
  CHECK (used >= 0),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Changes and confirmations of votes. Append-only (keep_undone). The primary key allows one a day; the second key allows each opinion one
-- successor, so that the opinions of a voter form a chain under any concurrency.
CREATE TABLE vote_changes (
  user_id bigint NOT NULL,
  said_at timestamptz NOT NULL,
  -- When the vote was cast, and when the replaced opinion was given.
  cast_at timestamptz NOT NULL,
  was_said_at timestamptz NOT NULL,
  -- When the voter took this direction; a confirmation keeps it.
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
-- Finds the sixtieth newest change of a user (R57).
CREATE INDEX vote_changes_user_id_said_at_idx ON vote_changes (user_id, said_at);

-- Votes that a daily deck has brought back (R61), once per listing period and reason.
CREATE TABLE asked_again (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['unverified'::text, 'identity'::text, 'moved'::text, 'old'::text])),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Opinions that count, by the day on which they were given: the last 30 days add up to 'Now' (R58). As of the last closed day.
CREATE TABLE opinion_days (
  project_id bigint NOT NULL,
  said_on date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, said_on),
  CHECK (LEAST(bullish, bearish) >= 0)
);

-- Totals as of totals_state.counted_until, updated by new rows (R69; server/figures/totals/).
CREATE TABLE totals (
  -- opinions (by project, period, identity) · days (by day of the vote and state) · trend (by project, identity, day of the direction) ·
  -- said · ledger (by kind) · entries · holders
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
  -- Rows are dated from here on, whatever the clock says (server/figures/totals/close-time.ts).
  open_from timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  holders_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  moves bigint NOT NULL DEFAULT 0,
  -- Users up to recount_user are recounted; recount_started_at is null between recounts.
  recount_started_at timestamptz,
  recount_user bigint NOT NULL DEFAULT 0,
  recount_last bigint NOT NULL DEFAULT 0,
  -- As of the recount: the end of the newest checkpoint, and the start of the day.
  recount_record_until timestamptz,
  recount_days_until timestamptz,
  recount_lines text[] NOT NULL DEFAULT '{}'::text[],
  recount_ms bigint NOT NULL DEFAULT 0,
  -- Results of the last recount: sum of balances less that of the ledger, and users whose balance differs.
  checked_at timestamptz,
  checked_excess bigint NOT NULL DEFAULT 0,
  checked_differing bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (id = 1)
);

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

-- Opinions whose state has changed since they were counted, and those that the next batch of the record has to name.
CREATE TABLE restated_votes (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamptz NOT NULL,
  counted_as vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

CREATE TABLE changed_states (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamptz NOT NULL,
  was vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

-- Agreements to the terms (R80), one row per user and version.
CREATE TABLE terms_consents (
  user_id bigint NOT NULL,
  terms_version text NOT NULL,
  -- When the user first agreed at each step.
  signed_in_at timestamptz,
  paying_at timestamptz,
  PRIMARY KEY (user_id, terms_version),
  CHECK (num_nonnulls(signed_in_at, paying_at) > 0),
  CHECK (length(terms_version) = 16),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- `daily_on`: the last UTC day with a message of a kind that is limited to one a day.
CREATE TABLE push_settings (
  user_id bigint NOT NULL,
  kinds text[] NOT NULL,
  daily_on date,
  PRIMARY KEY (user_id),
  CHECK (kinds <@ ARRAY['money'::text, 'project'::text, 'votes_back'::text]),
  CHECK (cardinality(kinds) <= 3),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- One per session, with which it ends. The keys are the browser's (RFC 8291). site_key: the public key of the site
-- that the browser subscribed with; NULL: its push service rejected the site, until the browser renews it.
CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  endpoint text NOT NULL,
  public_key bytea NOT NULL,
  auth_secret bytea NOT NULL,
  site_key bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  UNIQUE (endpoint),
  UNIQUE (token_hash),
  CHECK (octet_length(auth_secret) = 16),
  CHECK (length(endpoint) >= 10 AND length(endpoint) <= 1000),
  CHECK (octet_length(public_key) = 65),
  CHECK (octet_length(site_key) = 65),
  FOREIGN KEY (token_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id);

-- `due_at` is the next attempt, null once sent. Rows stay for a day: their number limits messages per day.
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

CREATE TABLE catalogue_imports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
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
  -- An index cannot compare with the present time, so it holds listed projects, and queries compare expires_at too. Every active project is listed
  -- (list_project); delist-expired removes expired ones.
  listed boolean NOT NULL DEFAULT true,
  -- Start of each listing period, ascending. The present period is the number of starts up to now (period_at). A renewal appends a start.
  period_starts timestamptz[] NOT NULL DEFAULT ARRAY[now()],
  -- See server/listings/projects/look-alike-keys.ts; null: not computed yet.
  look_alike_keys text[],
  -- Newest version and identity, set by number_version.
  version integer NOT NULL DEFAULT 1,
  version_at timestamptz NOT NULL DEFAULT now(),
  identity integer NOT NULL DEFAULT 1,
  coin_type text,
  package_id text,
  -- A lister's claim proves nothing: anyone can publish a coin of any name.
  coin_source coin_source NOT NULL DEFAULT 'lister'::coin_source,
  is_catalogue boolean NOT NULL DEFAULT false,
  -- The listing whose name this one looks like, until a moderator has looked (R74).
  look_alike_of bigint,
  look_alike_since timestamptz,
  import_id bigint,
  -- When a moderator handed the listing over to the wallet that claimed it (R72).
  taken_over_at timestamptz,
  PRIMARY KEY (id),
  UNIQUE (slug),
  CHECK (category = ANY (ARRAY['DeFi'::text, 'NFT'::text, 'Gaming'::text, 'Meme'::text, 'Infrastructure'::text, 'DAO'::text, 'Social'::text, 'Other'::text])),
  CHECK (octet_length(coin_type) <= 500),
  CHECK (char_length(description) >= 1 AND char_length(description) <= 200),
  CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  CHECK (package_id ~ '^0x[0-9a-f]{64}$'::text),
  FOREIGN KEY (import_id) REFERENCES catalogue_imports(id),
  FOREIGN KEY (look_alike_of) REFERENCES projects(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE INDEX projects_catalogue_idx ON projects (id) WHERE is_catalogue;
CREATE INDEX projects_coin_type_idx ON projects (coin_type) WHERE coin_type IS NOT NULL;
-- The feed walks along this index. An index-only scan needs the plain id beside its hash.
CREATE INDEX projects_feed_idx ON projects (hashint8extended(id, 0::bigint)) INCLUDE (id, owner_id, expires_at) WHERE listed;
CREATE INDEX projects_hidden_page_idx ON projects (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX projects_import_id_idx ON projects (import_id, id) WHERE import_id IS NOT NULL;
CREATE INDEX projects_listed_expires_at_idx ON projects (expires_at) WHERE listed;
CREATE INDEX projects_listed_id_idx ON projects (id) INCLUDE (owner_id, expires_at, period_starts) WHERE listed;
CREATE INDEX projects_listed_owner_idx ON projects (owner_id, expires_at) WHERE listed;
CREATE INDEX projects_look_alike_keys_idx ON projects USING gin (look_alike_keys) WHERE hidden_at IS NULL AND look_alike_keys IS NOT NULL;
CREATE INDEX projects_look_alike_of_idx ON projects (look_alike_of) WHERE look_alike_of IS NOT NULL;
CREATE INDEX projects_owner_page_idx ON projects (owner_id, id DESC);
CREATE INDEX projects_read_coins_idx ON projects (id) WHERE coin_type IS NOT NULL AND coin_source <> 'lister'::coin_source AND hidden_at IS NULL;
CREATE INDEX projects_slug_trigrams_idx ON projects USING gin (slug gin_trgm_ops) WHERE hidden_at IS NULL;
CREATE INDEX projects_twitter_handle_idx ON projects (lower(twitter_handle));
CREATE INDEX projects_website_idx ON projects (lower(website)) WHERE website IS NOT NULL;
CREATE INDEX projects_without_look_alike_keys_idx ON projects (id) WHERE look_alike_keys IS NULL;

-- Every slug a project ever had; earlier ones redirect.
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
  -- For a sentence (R89), the listing period that it is about; null for a review.
  period smallint,
  PRIMARY KEY (id),
  CHECK (char_length(content) >= 1 AND char_length(content) <= 200),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX reviews_sentence_idx ON reviews (user_id, project_id, period) WHERE period IS NOT NULL;
CREATE INDEX reviews_hidden_page_idx ON reviews (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX reviews_project_id_idx ON reviews (project_id, id DESC) WHERE hidden_at IS NULL;

CREATE TABLE appeals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamptz,
  -- The listing of the appeal, which can be appealed once (R80); null for an appeal about votes.
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
CREATE UNIQUE INDEX appeals_open_key ON appeals (user_id) WHERE answered_at IS NULL AND project_id IS NULL;
CREATE INDEX appeals_open_page_idx ON appeals (id) WHERE answered_at IS NULL;
CREATE INDEX appeals_user_id_idx ON appeals (user_id, id DESC);

-- A hidden reply keeps its row: writing it again must not undo the decision.
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
  -- Null in a blanked version; the hash stays.
  name text,
  image_hash text,
  twitter_handle text,
  website text,
  category text,
  description text,
  salt bytea,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  blanked_at timestamptz,
  -- A moderator confirmed the same project, or took that back; set on the first version of the identity.
  same_at timestamptz,
  apart_at timestamptz,
  is_recorded boolean NOT NULL DEFAULT false,
  is_blank_recorded boolean NOT NULL DEFAULT false,
  -- What the record's latest entry says.
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
CREATE INDEX listing_versions_image_hash_idx ON listing_versions (image_hash) WHERE image_hash IS NOT NULL;
CREATE INDEX listing_versions_unrecorded_idx ON listing_versions (project_id, number) WHERE NOT is_recorded
  OR blanked_at IS NOT NULL AND NOT is_blank_recorded OR same_at IS NOT NULL AND NOT is_same_recorded OR same_at IS NULL AND is_same_recorded;

-- Changes of identity with the votes on either side, written by keep_version, close_day.
CREATE TABLE identity_changes (
  project_id bigint NOT NULL,
  -- The new identity, and the first version that has it.
  identity integer NOT NULL,
  number integer NOT NULL,
  changed_at timestamptz NOT NULL,
  what text[] NOT NULL,
  -- Set when the name changed and that version is not blanked.
  old_name text,
  votes_before bigint NOT NULL,
  -- Verified opinions since the change, and the trend since (see project_trends).
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  trend_bullish bigint NOT NULL DEFAULT 0,
  trend_bearish bigint NOT NULL DEFAULT 0,
  trend_weight bigint NOT NULL DEFAULT 0,
  -- A moderator confirmed the same project: figures ignore the change until that is taken back.
  is_same boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, identity),
  CHECK (LEAST(votes_before, bullish, bearish, trend_bullish, trend_bearish, trend_weight) >= 0),
  CHECK (what <@ ARRAY['name'::text, 'picture'::text, 'handle'::text, 'website'::text] AND cardinality(what) >= 1),
  FOREIGN KEY (project_id, number) REFERENCES listing_versions(project_id, number) ON DELETE CASCADE
);

CREATE VIEW open_identity_changes AS SELECT * FROM identity_changes WHERE NOT is_same;

CREATE TABLE change_notices (
  project_id bigint NOT NULL,
  -- The open round: the version before its changes, and the time before which all votes were read; null between rounds.
  from_number integer,
  read_until timestamptz,
  started_at timestamptz,
  -- The version before the first change that waits for a round.
  next_number integer,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX change_notices_due_idx ON change_notices (project_id) WHERE from_number IS NOT NULL OR next_number IS NOT NULL;

-- The newest proof for a listing; the hash is that of an `owner` entry (docs/use/record.md).
CREATE TABLE ownerships (
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  subject text NOT NULL,
  -- Null after the wallet's account was deleted; the hash stays.
  wallet text,
  salt bytea,
  -- The object held, and the newest checkpoint before it was read; null for a proof accepted by hand.
  object_type text,
  object_id text,
  object_version numeric(20,0),
  checkpoint numeric(20,0),
  hash bytea NOT NULL,
  reason text,
  since timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id),
  CHECK (octet_length(hash) = 32),
  CHECK (octet_length(salt) = 16),
  CHECK (octet_length(subject) <= 500),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ownerships_due_idx ON ownerships (checked_at) WHERE state = ANY (ARRAY['controls'::ownership_state, 'proven'::ownership_state]);
-- Two listings of one coin cannot both be proven.
CREATE UNIQUE INDEX ownerships_subject_key ON ownerships (subject) WHERE state = ANY (ARRAY['proven'::ownership_state, 'accepted'::ownership_state]);

-- Claims on listings of other wallets (R72). The lister's answer goes with the decision; a decided row stays while a refund is due.
CREATE TABLE claims (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamptz,
  decided_at timestamptz,
  -- The fee of which the lister gets a part back.
  refund_payment_id uuid,
  refund_mist bigint,
  PRIMARY KEY (id),
  CHECK (char_length(answer) >= 1 AND char_length(answer) <= 300),
  CHECK ((refund_payment_id IS NULL) = (refund_mist IS NULL)),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (refund_payment_id) REFERENCES payments(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX claims_open_key ON claims (project_id) WHERE decided_at IS NULL;
CREATE INDEX claims_refund_idx ON claims (refund_payment_id) WHERE refund_payment_id IS NOT NULL;
CREATE INDEX claims_user_id_idx ON claims (user_id, created_at);

-- Packages that listings name, by the id of their first version (R71).
CREATE TABLE packages (
  id text NOT NULL,
  original_id text NOT NULL,
  PRIMARY KEY (id),
  CHECK (id ~ '^0x[0-9a-f]{64}$'),
  CHECK (original_id ~ '^0x[0-9a-f]{64}$')
);
CREATE INDEX packages_original_idx ON packages (original_id);

-- History of proofs, for the public record.
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

-- Why a user voted as the present opinion says (R89): bits in the order of REASONS in shared/voting/reasons.ts. No bit: taken away, by a
-- change of the direction, too.
CREATE TABLE vote_reasons (
  user_id bigint NOT NULL,
  given_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reasons smallint NOT NULL,
  bullish boolean NOT NULL,
  -- Counted in public figures, and in those of the owner: a voter is new once in a listing period.
  is_public boolean NOT NULL DEFAULT false,
  is_shown boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, project_id, period),
  CHECK (reasons BETWEEN 0 AND 31 AND bit_count(reasons::int::bit(5)) <= 2)
);

-- How many voters of a group and direction gave each reason: one row per week at most for each. The record has the public ones, the owner
-- sees the others.
CREATE TABLE reason_figures (
  project_id integer NOT NULL,
  day date NOT NULL,
  verified boolean NOT NULL,
  bullish boolean NOT NULL,
  is_public boolean NOT NULL,
  voters integer NOT NULL,
  team integer NOT NULL,
  product integer NOT NULL,
  token integer NOT NULL,
  risk integer NOT NULL,
  community integer NOT NULL,
  PRIMARY KEY (project_id, is_public, verified, bullish, day),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE follows (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX follows_project_id_idx ON follows (project_id, user_id);

-- The newest turn of a project that followers were notified of: verified votes on a published day and a week before,
-- and how far its followers are noted, null once all are.
CREATE TABLE project_turns (
  project_id integer NOT NULL,
  day date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  bullish_before bigint NOT NULL,
  bearish_before bigint NOT NULL,
  followers_until bigint,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

-- Users who wait for the notice of a day, which is one for all turns.
CREATE TABLE turn_notices (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  PRIMARY KEY (user_id, project_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

ALTER TABLE projects ADD FOREIGN KEY (slug, id) REFERENCES project_slugs(slug, project_id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE log_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

-- All ledger entries. `ref` of a reward is the project. Every vote pays the same (VOTE_REWARD_TOKENS), so no row stores it.
CREATE VIEW ledger_entries AS
  SELECT user_id, 'vote_reward'::ledger_kind AS kind, project_id::bigint AS ref, 10::bigint AS amount, created_at FROM votes
  UNION ALL
  SELECT user_id, 'vote_reward'::ledger_kind, project_id::bigint, tokens::bigint, created_at FROM undone_votes WHERE tokens > 0
  UNION ALL
  SELECT user_id, kind, ref, amount, created_at FROM token_ledger;

-- `created_at`: the vote was cast; `said_at`: the opinion was given.
CREATE VIEW opinions AS
  SELECT user_id, project_id, period, created_at, created_at AS said_at, created_at AS turned_at, bullish FROM votes
  UNION ALL
  SELECT user_id, project_id, period, cast_at, said_at, turned_at, bullish FROM vote_changes;

-- The rule of a state: a moderator's decision wins over the rhythm rule, both over the readings. Both exclude the vote with all its changes; Sundays decide about the opinions of a day. `changed_at`: the next opinion of the
-- period. Opinions as of a moment T: said_at < T and (changed_at >= T) IS NOT FALSE.
CREATE VIEW opinion_states AS
  SELECT x.*, CASE WHEN x.replaced_at IS NULL THEN x.unreplaced_state ELSE 'replaced'::text::vote_state END AS state
  FROM (
    SELECT o.user_id, o.project_id, o.period, o.bullish, o.created_at, o.said_at, o.turned_at, c.said_at AS changed_at, n.created_at AS replaced_at,
      CASE
        WHEN m.reason IS NOT NULL THEN m.reason
        WHEN r.reason IS NOT NULL THEN r.reason
        WHEN s.verified_days @> (o.said_at AT TIME ZONE 'UTC')::date THEN 'verified'
        WHEN s.decided_until >= (o.said_at AT TIME ZONE 'UTC')::date THEN 'no_standing'
        ELSE 'waiting'
      END::vote_state AS unreplaced_state
    FROM opinions o
    LEFT JOIN vote_changes c ON c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at
    LEFT JOIN voter_standing s ON s.user_id = o.user_id
    LEFT JOIN votes_set_aside m ON m.user_id = o.user_id AND m.project_id = o.project_id AND m.period = o.period AND m.reason = 'moderator'
    LEFT JOIN votes_set_aside r ON r.user_id = o.user_id AND r.project_id = o.project_id AND r.period = o.period AND r.reason = 'rhythm'
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

-- Evidence of a vote (R38): the first 35 days after its newest opinion on which the wallet was read.
CREATE VIEW vote_evidence AS
  SELECT v.user_id, v.project_id, v.period, v.said_at AS cast_at, e.days_read, e.days_held
  FROM opinions v
  CROSS JOIN LATERAL (
    SELECT count(*)::smallint AS days_read, count(*) FILTER (WHERE r.held)::smallint AS days_held FROM (
      SELECT get_bit(d.history_held, 64 - d.place) = 1 AS held FROM (
        SELECT x.day, s.history_read, s.history_held, (row_number() OVER (ORDER BY x.day DESC))::int AS place
        FROM voter_standing s JOIN standing_days x ON x.day <= s.read_on AND x.skipped IS NULL
        WHERE s.user_id = v.user_id ORDER BY x.day DESC LIMIT 64
      ) d
      WHERE d.day > (v.said_at AT TIME ZONE 'UTC')::date AND get_bit(d.history_read, 64 - d.place) = 1 ORDER BY d.day LIMIT 35
    ) r
  ) e
  WHERE NOT EXISTS (SELECT FROM vote_changes c
    WHERE c.user_id = v.user_id AND c.project_id = v.project_id AND c.period = v.period AND c.was_said_at = v.said_at);

INSERT INTO config VALUES ('WITHDRAWALS_PAUSED', 'false');
INSERT INTO database_copies DEFAULT VALUES;
INSERT INTO totals_state DEFAULT VALUES;
