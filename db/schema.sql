-- The schema as all migrations and functions leave it: to be read, never run. Tables by name; the reasons for their form are in
-- db/migrations/, the bodies of functions in db/functions/. `npx vitest run --project http db/migrate -u` writes it again.

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

CREATE TABLE account_keys (
  id smallint NOT NULL DEFAULT 1,
  key bytea NOT NULL,
  PRIMARY KEY (id),
  CHECK (id = 1),
  CHECK (octet_length(key) = 32)
);

CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind activity_kind NOT NULL,
  text text NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  amount_mist bigint,
  digest text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX activity_user_id_idx ON activity USING btree (user_id, id DESC);
CREATE TRIGGER activity_keep_deleted_empty BEFORE INSERT ON activity FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
GRANT SELECT, INSERT, UPDATE, DELETE ON activity TO snapswipe_console;

CREATE TABLE admin_login_attempts (
  wallet_address text NOT NULL,
  attempts integer NOT NULL,
  locked_until timestamp with time zone,
  refused integer NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_address),
  CHECK (refused >= 0)
);

CREATE TABLE admin_sessions (
  token_hash bytea NOT NULL,
  session_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE
);
CREATE INDEX admin_sessions_session_hash_idx ON admin_sessions USING btree (session_hash);

CREATE TABLE admins (
  wallet_address text NOT NULL,
  role text NOT NULL,
  password_hash text NOT NULL,
  password_expires_at timestamp with time zone,
  has_paid boolean NOT NULL,
  granted_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  PRIMARY KEY (wallet_address),
  CHECK (has_paid OR role <> 'payer'::text),
  CHECK (role = ANY (ARRAY['payer'::text, 'moderator'::text])),
  CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'::text)
);
CREATE TRIGGER admins_changed AFTER INSERT OR UPDATE ON admins FOR EACH ROW EXECUTE FUNCTION admins_changed();

CREATE TABLE appeals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamp with time zone,
  project_id bigint,
  PRIMARY KEY (id),
  UNIQUE (project_id),
  CHECK (char_length(answer) >= 1 AND char_length(answer) <= 300),
  CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX appeals_answered_page_idx ON appeals USING btree (id DESC) WHERE answered_at IS NOT NULL;
CREATE UNIQUE INDEX appeals_open_key ON appeals USING btree (user_id) WHERE answered_at IS NULL AND project_id IS NULL;
CREATE INDEX appeals_open_page_idx ON appeals USING btree (id) WHERE answered_at IS NULL;
CREATE INDEX appeals_user_id_idx ON appeals USING btree (user_id, id DESC);
CREATE TRIGGER appeals_keep_deleted_empty BEFORE INSERT ON appeals FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT ON appeals TO snapswipe_console;

CREATE TABLE asked_again (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['unverified'::text, 'identity'::text, 'moved'::text, 'old'::text])),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER asked_again_keep_deleted_empty BEFORE INSERT ON asked_again FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  detail text NOT NULL,
  ip text,
  outcome text NOT NULL,
  row_count bigint,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor_idx ON audit_log USING btree (actor, id DESC);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE auth_challenges (
  nonce text NOT NULL,
  wallet_address text NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  purpose text NOT NULL DEFAULT 'sign_in'::text,
  PRIMARY KEY (nonce),
  CHECK (purpose = ANY (ARRAY['sign_in'::text, 'delete_account'::text]))
);
CREATE INDEX auth_challenges_expires_at_idx ON auth_challenges USING btree (expires_at);

CREATE TABLE backups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
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
CREATE INDEX backups_finished_at_idx ON backups USING btree (finished_at DESC) WHERE error IS NULL;

CREATE TABLE blanked_pictures (
  hash text NOT NULL,
  blanked_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (hash)
);
GRANT SELECT, INSERT, DELETE ON blanked_pictures TO snapswipe_console;

CREATE TABLE book_totals (
  book_id smallint NOT NULL,
  user_id bigint NOT NULL,
  units numeric(20,0) NOT NULL,
  carried numeric(20,0) NOT NULL DEFAULT 0,
  PRIMARY KEY (book_id, user_id),
  CHECK (carried >= 0::numeric),
  CHECK (units >= carried),
  FOREIGN KEY (book_id) REFERENCES books(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX book_totals_user_id_idx ON book_totals USING btree (user_id);
GRANT SELECT ON book_totals TO snapswipe_console;

CREATE TABLE books (
  id smallint GENERATED ALWAYS AS IDENTITY NOT NULL,
  object_id text NOT NULL,
  package_id text NOT NULL,
  coin_type text NOT NULL,
  decimals smallint NOT NULL,
  shared_since bigint NOT NULL,
  table_id text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  UNIQUE (object_id),
  CHECK (object_id ~ '^0x[0-9a-f]{64}$'::text)
);
CREATE UNIQUE INDEX books_open_key ON books USING btree ((true)) WHERE ended_at IS NULL;
GRANT SELECT ON books TO snapswipe_console;

CREATE TABLE catalogue_imports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  undone_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK (octet_length(name) <= 400)
);

CREATE TABLE change_notices (
  project_id bigint NOT NULL,
  from_number integer,
  read_until timestamp with time zone,
  started_at timestamp with time zone,
  next_number integer,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX change_notices_due_idx ON change_notices USING btree (project_id) WHERE from_number IS NOT NULL OR next_number IS NOT NULL;
GRANT SELECT ON change_notices TO snapswipe_console;

CREATE TABLE changed_states (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamp with time zone NOT NULL,
  was vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

CREATE TABLE claims (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamp with time zone,
  decided_at timestamp with time zone,
  refund_payment_id uuid,
  refund_mist bigint,
  PRIMARY KEY (id),
  CHECK (char_length(answer) >= 1 AND char_length(answer) <= 300),
  CHECK ((refund_payment_id IS NULL) = (refund_mist IS NULL)),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (refund_payment_id) REFERENCES payments(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX claims_open_key ON claims USING btree (project_id) WHERE decided_at IS NULL;
CREATE INDEX claims_refund_idx ON claims USING btree (refund_payment_id) WHERE refund_payment_id IS NOT NULL;
CREATE INDEX claims_user_id_idx ON claims USING btree (user_id, created_at);
CREATE TRIGGER claims_changed AFTER INSERT OR DELETE OR UPDATE ON claims FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER claims_keep_deleted_empty BEFORE INSERT ON claims FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

CREATE TABLE closed_days (
  day date NOT NULL,
  until timestamp with time zone NOT NULL,
  closed_at timestamp with time zone NOT NULL DEFAULT now(),
  voters integer NOT NULL DEFAULT 0,
  listings integer NOT NULL DEFAULT 0,
  first_week_votes integer,
  issued bigint NOT NULL DEFAULT 0,
  granted bigint NOT NULL DEFAULT 0,
  burned bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  paid bigint NOT NULL DEFAULT 0,
  holders bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  lost bigint NOT NULL DEFAULT 0,
  ahead bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day),
  UNIQUE (until)
);
CREATE TRIGGER closed_days_changed AFTER INSERT OR DELETE OR TRUNCATE ON closed_days FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('t');
GRANT SELECT ON closed_days TO snapswipe_console;

CREATE TABLE config (
  config_key text NOT NULL,
  config_value text NOT NULL,
  PRIMARY KEY (config_key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON config TO snapswipe_console;

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
CREATE TRIGGER daily_decks_keep_deleted_empty BEFORE INSERT ON daily_decks FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');

CREATE TABLE database_copies (
  one boolean NOT NULL DEFAULT true,
  database_id text,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  lost_from timestamp with time zone,
  lost_until timestamp with time zone,
  compared_until timestamp with time zone,
  PRIMARY KEY (one),
  CHECK ((lost_from IS NULL) = (lost_until IS NULL)),
  CHECK (one)
);
GRANT SELECT ON database_copies TO snapswipe_console;

CREATE TABLE deleted_wallets (
  wallet_hash bytea NOT NULL,
  votes_from timestamp with time zone NOT NULL,
  returned_from timestamp with time zone,
  returns smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_hash),
  CHECK (octet_length(wallet_hash) = 32)
);

CREATE TABLE deletion_marks (
  mark bytea NOT NULL,
  PRIMARY KEY (mark),
  CHECK (octet_length(mark) = 16)
);

CREATE TABLE expiry_notices (
  project_id bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE follows (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX follows_project_id_idx ON follows USING btree (project_id, user_id);
CREATE TRIGGER follows_keep_deleted_empty BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

CREATE TABLE former_totals (
  book_id smallint NOT NULL,
  wallet_hash bytea NOT NULL,
  key_check bytea NOT NULL,
  units numeric(20,0) NOT NULL,
  PRIMARY KEY (book_id, wallet_hash),
  CHECK (octet_length(key_check) = 32),
  CHECK (octet_length(wallet_hash) = 32),
  FOREIGN KEY (book_id) REFERENCES books(id)
);
CREATE INDEX former_totals_key_check_idx ON former_totals USING btree (key_check);

CREATE TABLE identity_changes (
  project_id bigint NOT NULL,
  identity integer NOT NULL,
  number integer NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  what text[] NOT NULL,
  old_name text,
  votes_before bigint NOT NULL,
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  trend_bullish bigint NOT NULL DEFAULT 0,
  trend_bearish bigint NOT NULL DEFAULT 0,
  trend_weight bigint NOT NULL DEFAULT 0,
  is_same boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, identity),
  CHECK (LEAST(votes_before, bullish, bearish, trend_bullish, trend_bearish, trend_weight) >= 0),
  CHECK (what <@ ARRAY['name'::text, 'picture'::text, 'handle'::text, 'website'::text] AND cardinality(what) >= 1),
  FOREIGN KEY (project_id, number) REFERENCES listing_versions(project_id, number) ON DELETE CASCADE
);
CREATE TRIGGER identity_changes_changed AFTER UPDATE OF votes_before, trend_bullish ON identity_changes FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
CREATE TRIGGER identity_votes_changed AFTER UPDATE OF votes_before, trend_bullish ON identity_changes FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('v');
GRANT SELECT ON identity_changes TO snapswipe_console;

CREATE TABLE images (
  hash text NOT NULL,
  width_px integer NOT NULL DEFAULT 0,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  upload_hash text,
  is_square boolean NOT NULL DEFAULT false,
  PRIMARY KEY (hash, width_px)
);
CREATE INDEX images_upload_hash_idx ON images USING btree (upload_hash) WHERE upload_hash IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON images TO snapswipe_console;

CREATE TABLE invariant_runs (
  checked_at timestamp with time zone NOT NULL DEFAULT now(),
  duration_ms integer NOT NULL,
  differences integer NOT NULL,
  examples text[] NOT NULL,
  PRIMARY KEY (checked_at),
  CHECK (differences >= 0),
  CHECK (duration_ms >= 0),
  CHECK (cardinality(examples) <= 10)
);
GRANT SELECT ON invariant_runs TO snapswipe_console;

CREATE TABLE job_runs (
  name text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  duration_ms integer,
  error text,
  PRIMARY KEY (name),
  CHECK (duration_ms >= 0),
  CHECK (length(error) <= 500)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_runs TO snapswipe_console;

CREATE TABLE listing_versions (
  project_id bigint NOT NULL,
  number integer NOT NULL,
  identity integer NOT NULL,
  name text,
  image_hash text,
  twitter_handle text,
  website text,
  category text,
  description text,
  salt bytea,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  blanked_at timestamp with time zone,
  same_at timestamp with time zone,
  apart_at timestamp with time zone,
  is_recorded boolean NOT NULL DEFAULT false,
  is_blank_recorded boolean NOT NULL DEFAULT false,
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
CREATE INDEX listing_versions_image_hash_idx ON listing_versions USING btree (image_hash) WHERE image_hash IS NOT NULL;
CREATE INDEX listing_versions_unrecorded_idx ON listing_versions USING btree (project_id, number) WHERE NOT is_recorded OR blanked_at IS NOT NULL AND NOT is_blank_recorded OR same_at IS NOT NULL AND NOT is_same_recorded OR same_at IS NULL AND is_same_recorded;
CREATE TRIGGER listing_versions_changed AFTER UPDATE OF blanked_at, same_at ON listing_versions FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
GRANT SELECT ON listing_versions TO snapswipe_console;

CREATE TABLE log_anchors (
  size bigint NOT NULL,
  chain_id text NOT NULL,
  digest text NOT NULL,
  transaction bytea NOT NULL,
  signature text NOT NULL,
  signed_at timestamp with time zone NOT NULL DEFAULT now(),
  anchored_at timestamp with time zone,
  PRIMARY KEY (size),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);

CREATE TABLE log_checkpoints (
  size bigint NOT NULL,
  day date NOT NULL,
  until timestamp with time zone NOT NULL,
  votes bigint NOT NULL,
  standing_day date,
  root bytea NOT NULL,
  signed_note text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  anchor_sender text,
  vote_count bigint NOT NULL DEFAULT 0,
  by_hand bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (size),
  UNIQUE (until),
  CHECK (octet_length(root) = 32),
  CHECK (size > 0)
);
CREATE TRIGGER log_checkpoints_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON log_checkpoints TO snapswipe_console;

CREATE TABLE log_cosignatures (
  size bigint NOT NULL,
  witness text NOT NULL,
  line text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (size, witness),
  FOREIGN KEY (size) REFERENCES log_checkpoints(size)
);
CREATE TRIGGER log_cosignatures_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_cosignatures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE log_files (
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (path)
);
CREATE TRIGGER log_files_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON log_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE network_salts (
  day date NOT NULL,
  salt bytea NOT NULL,
  PRIMARY KEY (day),
  CHECK (octet_length(salt) = 32)
);

CREATE TABLE notices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind notice_kind NOT NULL,
  text text NOT NULL,
  link text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  read_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK (link ~~ '/%'::text AND link !~~ '//%'::text),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notices_unread_idx ON notices USING btree (user_id) WHERE read_at IS NULL;
CREATE INDEX notices_user_id_idx ON notices USING btree (user_id, id DESC);
CREATE TRIGGER notices_deleted AFTER DELETE ON notices REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();
CREATE TRIGGER notices_inserted AFTER INSERT ON notices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();
CREATE TRIGGER notices_keep_deleted_empty BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER notices_updated AFTER UPDATE ON notices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notices_changed();

CREATE TABLE opinion_days (
  project_id bigint NOT NULL,
  said_on date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, said_on),
  CHECK (LEAST(bullish, bearish) >= 0)
);
GRANT SELECT ON opinion_days TO snapswipe_console;

CREATE TABLE ownership_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  CHECK (octet_length(hash) = 32),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ownership_events_project_id_idx ON ownership_events USING btree (project_id);
CREATE INDEX ownership_events_unrecorded_idx ON ownership_events USING btree (project_id, id) WHERE NOT is_recorded;
GRANT SELECT ON ownership_events TO snapswipe_console;

CREATE TABLE ownerships (
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  subject text NOT NULL,
  wallet text,
  salt bytea,
  object_type text,
  object_id text,
  object_version numeric(20,0),
  checkpoint numeric(20,0),
  hash bytea NOT NULL,
  reason text,
  since timestamp with time zone NOT NULL DEFAULT now(),
  checked_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id),
  CHECK (octet_length(hash) = 32),
  CHECK (octet_length(salt) = 16),
  CHECK (octet_length(subject) <= 500),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ownerships_due_idx ON ownerships USING btree (checked_at) WHERE state = ANY (ARRAY['controls'::ownership_state, 'proven'::ownership_state]);
CREATE UNIQUE INDEX ownerships_subject_key ON ownerships USING btree (subject) WHERE state = ANY (ARRAY['proven'::ownership_state, 'accepted'::ownership_state]);
CREATE TRIGGER ownerships_changed AFTER INSERT OR DELETE OR UPDATE OF state, hash ON ownerships FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER ownerships_keep BEFORE INSERT OR UPDATE OF state, hash ON ownerships FOR EACH ROW EXECUTE FUNCTION keep_ownership();
GRANT SELECT ON ownerships TO snapswipe_console;

CREATE TABLE packages (
  id text NOT NULL,
  original_id text NOT NULL,
  PRIMARY KEY (id),
  CHECK (id ~ '^0x[0-9a-f]{64}$'::text),
  CHECK (original_id ~ '^0x[0-9a-f]{64}$'::text)
);
CREATE INDEX packages_original_idx ON packages USING btree (original_id);
CREATE TRIGGER packages_changed AFTER INSERT OR DELETE ON packages FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
GRANT SELECT ON packages TO snapswipe_console;

CREATE TABLE payment_recipients (
  address text NOT NULL,
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (address),
  CHECK (address ~ '^0x[0-9a-f]{64}$'::text)
);

CREATE TABLE payments (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL,
  purpose payment_purpose NOT NULL,
  state payment_state NOT NULL,
  project_id bigint,
  draft jsonb NOT NULL,
  order_hash text NOT NULL,
  amount_mist bigint NOT NULL,
  recipient text,
  received_mist bigint,
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
  next_try_at timestamp with time zone NOT NULL DEFAULT now(),
  signed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK (amount_mist > 0),
  CHECK ((state = ANY (ARRAY['draft'::payment_state, 'expired'::payment_state])) OR digest IS NOT NULL),
  CHECK ((state <> ALL (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state])) OR chain_id IS NOT NULL),
  CHECK (refunded_mist > 0),
  FOREIGN KEY (recipient) REFERENCES payment_recipients(address),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX payments_digest_key ON payments USING btree (chain_id, digest) WHERE state = ANY (ARRAY['paid'::payment_state, 'fulfilled'::payment_state, 'unclaimed'::payment_state, 'refunded'::payment_state]);
CREATE INDEX payments_failed_claims_idx ON payments USING btree (updated_at) WHERE state = 'failed'::payment_state AND transaction IS NULL;
CREATE INDEX payments_listing_fee_idx ON payments USING btree (project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL AND (purpose = ANY (ARRAY['submit'::payment_purpose, 'renew'::payment_purpose])) AND (state = 'fulfilled'::payment_state OR state = 'refunded'::payment_state AND failure_code = 'listing_hidden'::text);
CREATE INDEX payments_open_idx ON payments USING btree (next_try_at) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state, 'failed'::payment_state]);
CREATE INDEX payments_order_idx ON payments USING btree (user_id, order_hash) WHERE state = ANY (ARRAY['draft'::payment_state, 'signed'::payment_state, 'paid'::payment_state]);
CREATE INDEX payments_page_idx ON payments USING btree (created_at DESC, id DESC);
CREATE INDEX payments_refund_digest_idx ON payments USING btree (refund_digest) WHERE refund_digest IS NOT NULL;
CREATE INDEX payments_state_page_idx ON payments USING btree (state, created_at DESC, id DESC);
CREATE INDEX payments_unclaimed_idx ON payments USING btree (created_at) WHERE state = 'unclaimed'::payment_state;
CREATE UNIQUE INDEX payments_user_digest_key ON payments USING btree (user_id, digest) WHERE state <> ALL (ARRAY['failed'::payment_state, 'expired'::payment_state]);
CREATE INDEX payments_user_page_idx ON payments USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER payments_keep_deleted_empty BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT, INSERT, UPDATE, DELETE ON payments TO snapswipe_console;

CREATE TABLE project_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  votes bigint NOT NULL,
  verified_bullish bigint NOT NULL DEFAULT 0,
  verified_bearish bigint NOT NULL DEFAULT 0,
  turned_bullish bigint NOT NULL DEFAULT 0,
  turned_bearish bigint NOT NULL DEFAULT 0,
  rank_votes bigint NOT NULL DEFAULT 0,
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
CREATE INDEX project_days_day_idx ON project_days USING btree (day);
CREATE TRIGGER project_days_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON project_days FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
GRANT SELECT ON project_days TO snapswipe_console;

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
GRANT SELECT ON project_events_days TO snapswipe_console;

CREATE TABLE project_slugs (
  slug text NOT NULL,
  project_id bigint NOT NULL,
  PRIMARY KEY (slug),
  UNIQUE (slug, project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON project_slugs TO snapswipe_console;

CREATE TABLE project_stats (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=25);
CREATE TRIGGER project_stats_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON project_stats FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
GRANT SELECT, INSERT, UPDATE, DELETE ON project_stats TO snapswipe_console;

CREATE TABLE project_trends (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  weight bigint NOT NULL,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0),
  CHECK (weight >= 0)
);
CREATE TRIGGER project_trends_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON project_trends FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
GRANT SELECT ON project_trends TO snapswipe_console;

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
GRANT SELECT ON project_turns TO snapswipe_console;

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
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  hidden_at timestamp with time zone,
  hidden_reason text,
  listed boolean NOT NULL DEFAULT true,
  period_starts timestamp with time zone[] NOT NULL DEFAULT ARRAY[now()],
  look_alike_keys text[],
  version integer NOT NULL DEFAULT 1,
  version_at timestamp with time zone NOT NULL DEFAULT now(),
  identity integer NOT NULL DEFAULT 1,
  coin_type text,
  package_id text,
  coin_source coin_source NOT NULL DEFAULT 'lister'::coin_source,
  is_catalogue boolean NOT NULL DEFAULT false,
  look_alike_of bigint,
  look_alike_since timestamp with time zone,
  import_id bigint,
  taken_over_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (slug),
  CHECK (category = ANY (ARRAY['DeFi'::text, 'NFT'::text, 'Gaming'::text, 'Meme'::text, 'Infrastructure'::text, 'DAO'::text, 'Social'::text, 'Other'::text])),
  CHECK (octet_length(coin_type) <= 500),
  CHECK (char_length(description) >= 1 AND char_length(description) <= 200),
  CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  CHECK (package_id ~ '^0x[0-9a-f]{64}$'::text),
  CHECK (are_ascending(period_starts)),
  FOREIGN KEY (import_id) REFERENCES catalogue_imports(id),
  FOREIGN KEY (look_alike_of) REFERENCES projects(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id),
  FOREIGN KEY (slug, id) REFERENCES project_slugs(slug, project_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX projects_catalogue_idx ON projects USING btree (id) WHERE is_catalogue;
CREATE INDEX projects_coin_type_idx ON projects USING btree (coin_type) WHERE coin_type IS NOT NULL;
CREATE INDEX projects_feed_idx ON projects USING btree (hashint8extended(id, 0::bigint)) INCLUDE (id, owner_id, expires_at) WHERE listed;
CREATE INDEX projects_hidden_page_idx ON projects USING btree (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX projects_import_id_idx ON projects USING btree (import_id, id) WHERE import_id IS NOT NULL;
CREATE INDEX projects_listed_expires_at_idx ON projects USING btree (expires_at) WHERE listed;
CREATE INDEX projects_listed_id_idx ON projects USING btree (id) INCLUDE (owner_id, expires_at, period_starts) WHERE listed;
CREATE INDEX projects_listed_owner_idx ON projects USING btree (owner_id, expires_at) WHERE listed;
CREATE INDEX projects_look_alike_keys_idx ON projects USING gin (look_alike_keys) WHERE hidden_at IS NULL AND look_alike_keys IS NOT NULL;
CREATE INDEX projects_look_alike_of_idx ON projects USING btree (look_alike_of) WHERE look_alike_of IS NOT NULL;
CREATE INDEX projects_name_key_idx ON projects USING btree (name_key(name)) WHERE hidden_at IS NULL;
CREATE INDEX projects_owner_page_idx ON projects USING btree (owner_id, id DESC);
CREATE INDEX projects_read_coins_idx ON projects USING btree (id) WHERE coin_type IS NOT NULL AND coin_source <> 'lister'::coin_source AND hidden_at IS NULL;
CREATE INDEX projects_slug_trigrams_idx ON projects USING gin (slug gin_trgm_ops) WHERE hidden_at IS NULL;
CREATE INDEX projects_twitter_handle_idx ON projects USING btree (lower(twitter_handle));
CREATE INDEX projects_website_idx ON projects USING btree (lower(website)) WHERE website IS NOT NULL;
CREATE INDEX projects_without_look_alike_keys_idx ON projects USING btree (id) WHERE look_alike_keys IS NULL;
CREATE TRIGGER projects_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('p');
CREATE TRIGGER projects_clear_look_alike_keys BEFORE UPDATE OF name ON projects FOR EACH ROW EXECUTE FUNCTION clear_look_alike_keys();
CREATE TRIGGER projects_follow_ownership AFTER UPDATE OF coin_type, package_id, coin_source, owner_id ON projects FOR EACH ROW EXECUTE FUNCTION follow_ownership();
CREATE TRIGGER projects_keep_slug AFTER INSERT OR UPDATE OF slug ON projects FOR EACH ROW EXECUTE FUNCTION keep_slug();
CREATE TRIGGER projects_keep_version AFTER INSERT OR UPDATE OF name, image_hash, twitter_handle, website, category, description ON projects FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER projects_listed BEFORE INSERT OR UPDATE OF hidden_at, expires_at ON projects FOR EACH ROW EXECUTE FUNCTION list_project();
CREATE TRIGGER projects_number_version BEFORE INSERT OR UPDATE OF name, image_hash, twitter_handle, website, category, description, version, version_at, identity ON projects FOR EACH ROW EXECUTE FUNCTION number_version();
GRANT SELECT, INSERT, UPDATE, DELETE ON projects TO snapswipe_console;

CREATE TABLE push_messages (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  subscription_id bigint NOT NULL,
  kind text NOT NULL,
  text text NOT NULL,
  link text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone DEFAULT now(),
  attempts smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (attempts >= 0),
  CHECK (kind = ANY (ARRAY['money'::text, 'project'::text, 'votes_back'::text])),
  CHECK (link ~ '^/([^/]|$)'::text),
  CHECK (char_length(text) >= 1 AND char_length(text) <= 500),
  FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_messages_created_at_idx ON push_messages USING btree (created_at);
CREATE INDEX push_messages_due_idx ON push_messages USING btree (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX push_messages_subscription_id_idx ON push_messages USING btree (subscription_id);
CREATE INDEX push_messages_user_id_idx ON push_messages USING btree (user_id);

CREATE TABLE push_settings (
  user_id bigint NOT NULL,
  kinds text[] NOT NULL,
  daily_on date,
  PRIMARY KEY (user_id),
  CHECK (kinds <@ ARRAY['money'::text, 'project'::text, 'votes_back'::text]),
  CHECK (cardinality(kinds) <= 3),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER push_settings_keep_deleted_empty BEFORE INSERT ON push_settings FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  endpoint text NOT NULL,
  public_key bytea NOT NULL,
  auth_secret bytea NOT NULL,
  site_key bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
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
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions USING btree (user_id);
CREATE TRIGGER push_subscriptions_keep_deleted_empty BEFORE INSERT ON push_subscriptions FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

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
CREATE TRIGGER reason_figures_changed AFTER INSERT OR DELETE OR TRUNCATE ON reason_figures FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('d');
GRANT SELECT ON reason_figures TO snapswipe_console;

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

CREATE TABLE recorded_totals (
  project_id integer NOT NULL,
  period smallint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  verified_bullish bigint NOT NULL,
  verified_bearish bigint NOT NULL,
  PRIMARY KEY (project_id, period)
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

CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subject report_subject NOT NULL,
  subject_id bigint NOT NULL,
  user_id bigint NOT NULL,
  reason report_reason NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  resolved_at timestamp with time zone,
  resolution report_resolution,
  PRIMARY KEY (id),
  UNIQUE (user_id, subject, subject_id),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  CHECK (char_length(text) <= 500),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX reports_created_at_idx ON reports USING btree (created_at);
CREATE INDEX reports_open_page_idx ON reports USING btree (id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_subject_idx ON reports USING btree (subject, subject_id, id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_user_idx ON reports USING btree (user_id) WHERE resolved_at IS NULL;
CREATE INDEX reports_resolved_at_idx ON reports USING btree (resolved_at) WHERE resolved_at IS NOT NULL;
CREATE TRIGGER reports_keep_deleted_empty BEFORE INSERT ON reports FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO snapswipe_console;

CREATE TABLE restated_votes (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamp with time zone NOT NULL,
  counted_as vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  moment timestamp with time zone NOT NULL,
  record_waits boolean NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE review_replies (
  review_id bigint NOT NULL,
  content text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  hidden_at timestamp with time zone,
  hidden_reason text,
  PRIMARY KEY (review_id),
  CHECK (char_length(content) >= 1 AND char_length(content) <= 200),
  FOREIGN KEY (review_id) REFERENCES reviews(id) ON DELETE CASCADE
);
CREATE INDEX review_replies_hidden_page_idx ON review_replies USING btree (review_id DESC) WHERE hidden_at IS NOT NULL;
CREATE TRIGGER review_replies_deleted AFTER DELETE ON review_replies REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
CREATE TRIGGER review_replies_inserted AFTER INSERT ON review_replies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
CREATE TRIGGER review_replies_updated AFTER UPDATE ON review_replies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION replies_changed();
GRANT SELECT, INSERT, UPDATE, DELETE ON review_replies TO snapswipe_console;

CREATE TABLE reviews (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id bigint NOT NULL,
  user_id bigint NOT NULL,
  content text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  hidden_at timestamp with time zone,
  hidden_reason text,
  period smallint,
  PRIMARY KEY (id),
  CHECK (char_length(content) >= 1 AND char_length(content) <= 200),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX reviews_hidden_page_idx ON reviews USING btree (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX reviews_project_id_idx ON reviews USING btree (project_id, id DESC) WHERE hidden_at IS NULL;
CREATE UNIQUE INDEX reviews_sentence_idx ON reviews USING btree (user_id, project_id, period) WHERE period IS NOT NULL;
CREATE TRIGGER reviews_deleted AFTER DELETE ON reviews REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();
CREATE TRIGGER reviews_inserted AFTER INSERT ON reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();
CREATE TRIGGER reviews_keep_deleted_empty BEFORE INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER reviews_updated AFTER UPDATE ON reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION reviews_changed();
GRANT SELECT, INSERT, UPDATE, DELETE ON reviews TO snapswipe_console;

CREATE TABLE rhythm_days (
  day date NOT NULL,
  networks integer NOT NULL,
  wallets integer NOT NULL,
  votes_set_aside integer NOT NULL,
  PRIMARY KEY (day)
);
GRANT SELECT ON rhythm_days TO snapswipe_console;

CREATE TABLE schema_migrations (
  name text NOT NULL,
  hash text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (name)
);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  device text NOT NULL DEFAULT 'Unknown browser'::text,
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (token_hash),
  CHECK (char_length(device) >= 1 AND char_length(device) <= 80),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_idx ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_idx ON sessions USING btree (user_id);
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION sessions_changed();
CREATE TRIGGER sessions_keep_deleted_empty BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions FOR EACH ROW WHEN (old.token_hash IS DISTINCT FROM new.token_hash OR old.user_id IS DISTINCT FROM new.user_id OR old.expires_at IS DISTINCT FROM new.expires_at) EXECUTE FUNCTION session_changed();

CREATE TABLE staged_files (
  run uuid NOT NULL,
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run, path)
);

CREATE TABLE standing_days (
  day date NOT NULL,
  skipped text,
  wallets integer NOT NULL DEFAULT 0,
  standing integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day),
  CHECK (standing >= 0 AND standing <= wallets),
  CHECK (skipped IS NULL OR wallets = 0)
);
CREATE TRIGGER standing_days_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON standing_days FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('t');
GRANT SELECT ON standing_days TO snapswipe_console;

CREATE TABLE standing_readings (
  day date NOT NULL,
  reading smallint NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  failed_because text,
  wallets integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  wallets_read integer NOT NULL DEFAULT 0,
  max_per_second real,
  pause_ms integer NOT NULL DEFAULT 0,
  paused_until timestamp with time zone,
  PRIMARY KEY (day, reading),
  CHECK (max_per_second > 0::double precision),
  CHECK (pause_ms >= 0),
  CHECK (reading = ANY (ARRAY[1, 2])),
  CHECK (unread >= 0),
  CHECK (wallets >= 0),
  CHECK (wallets_read >= 0)
);

CREATE TABLE standing_reads (
  day date NOT NULL,
  reading smallint NOT NULL,
  place integer NOT NULL,
  user_id bigint NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  has_enough boolean,
  PRIMARY KEY (day, reading, place)
);
CREATE INDEX standing_reads_left_idx ON standing_reads USING btree (day, reading, attempts, place) WHERE has_enough IS NULL;

CREATE TABLE storage_figures (
  day date NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (day, name),
  CHECK (bytes >= 0)
);

CREATE TABLE terms_consents (
  user_id bigint NOT NULL,
  terms_version text NOT NULL,
  signed_in_at timestamp with time zone,
  paying_at timestamp with time zone,
  PRIMARY KEY (user_id, terms_version),
  CHECK (num_nonnulls(signed_in_at, paying_at) > 0),
  CHECK (length(terms_version) = 16),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER terms_consents_keep_deleted_empty BEFORE INSERT ON terms_consents FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');

CREATE TABLE token_ledger (
  user_id bigint NOT NULL,
  ref bigint NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  kind ledger_kind NOT NULL,
  PRIMARY KEY (user_id, kind, ref),
  CHECK (amount <> 0),
  CHECK (kind <> 'vote_reward'::ledger_kind)
);
CREATE INDEX token_ledger_burned_idx ON token_ledger USING btree (created_at) INCLUDE (amount) WHERE kind = ANY (ARRAY['review_burn'::ledger_kind, 'sentence_burn'::ledger_kind]);
CREATE INDEX token_ledger_created_at_idx ON token_ledger USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE CONSTRAINT TRIGGER entry_inserted AFTER INSERT ON token_ledger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_balance();
CREATE TRIGGER token_ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON token_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER token_ledger_date_entry BEFORE INSERT ON token_ledger FOR EACH ROW EXECUTE FUNCTION date_entry();
GRANT SELECT, INSERT ON token_ledger TO snapswipe_console;

CREATE TABLE top_voters (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL,
  PRIMARY KEY (user_id)
);

CREATE TABLE totals (
  name text NOT NULL,
  project_id integer NOT NULL DEFAULT 0,
  period smallint NOT NULL DEFAULT 0,
  identity integer NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '-infinity'::date,
  kind text NOT NULL DEFAULT ''::text,
  value bigint NOT NULL,
  PRIMARY KEY (name, project_id, period, identity, day, kind)
) WITH (fillfactor=50);
GRANT SELECT ON totals TO snapswipe_console;

CREATE TABLE totals_state (
  id smallint NOT NULL DEFAULT 1,
  counted_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  open_from timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  holders_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  moves bigint NOT NULL DEFAULT 0,
  recount_started_at timestamp with time zone,
  recount_user bigint NOT NULL DEFAULT 0,
  recount_last bigint NOT NULL DEFAULT 0,
  recount_record_until timestamp with time zone,
  recount_days_until timestamp with time zone,
  recount_lines text[] NOT NULL DEFAULT '{}'::text[],
  recount_ms bigint NOT NULL DEFAULT 0,
  checked_at timestamp with time zone,
  checked_excess bigint NOT NULL DEFAULT 0,
  checked_differing bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (id = 1)
);
GRANT SELECT ON totals_state TO snapswipe_console;

CREATE TABLE turn_notices (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  PRIMARY KEY (user_id, project_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER turn_notices_keep_deleted_empty BEFORE INSERT ON turn_notices FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');

CREATE TABLE undone_votes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  undone_at timestamp with time zone NOT NULL,
  project_id integer NOT NULL,
  tokens smallint NOT NULL,
  period smallint NOT NULL,
  bullish boolean NOT NULL,
  PRIMARY KEY (id),
  CHECK (tokens >= 0)
);
CREATE INDEX undone_votes_undone_at_idx ON undone_votes USING btree (user_id, undone_at);
CREATE INDEX undone_votes_user_id_idx ON undone_votes USING btree (user_id, project_id);
CREATE TRIGGER undone_votes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON undone_votes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER undone_votes_keep_deleted_empty BEFORE INSERT ON undone_votes FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT ON undone_votes TO snapswipe_console;

CREATE TABLE user_allowances (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (user_id, kind),
  CHECK (kind = ANY (ARRAY['archives'::text, 'open_archive'::text, 'pictures'::text, 'push_tests'::text, 'uploads'::text])),
  CHECK (used >= 0),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER user_allowances_keep_deleted_empty BEFORE INSERT ON user_allowances FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

CREATE TABLE user_stats (
  user_id bigint NOT NULL,
  total_votes integer NOT NULL DEFAULT 0,
  bullish integer NOT NULL DEFAULT 0,
  bearish integer NOT NULL DEFAULT 0,
  streak integer NOT NULL DEFAULT 0,
  last_day date,
  window_started_at timestamp with time zone,
  window_votes smallint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  tokens_earned bigint NOT NULL DEFAULT 0,
  barred_projects integer[],
  peak_earned bigint NOT NULL DEFAULT 0,
  barred_periods smallint[],
  undoable_from timestamp with time zone,
  PRIMARY KEY (user_id),
  CHECK (balance >= 0)
) WITH (fillfactor=75);
CREATE CONSTRAINT TRIGGER balance_deleted AFTER DELETE ON user_stats DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.balance <> 0) EXECUTE FUNCTION check_balance();
CREATE CONSTRAINT TRIGGER balance_inserted AFTER INSERT ON user_stats DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.balance <> 0) EXECUTE FUNCTION check_balance();
CREATE CONSTRAINT TRIGGER balance_updated AFTER UPDATE ON user_stats DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.user_id <> new.user_id OR old.balance <> new.balance AND ((new.balance - old.balance) <> (new.tokens_earned - old.tokens_earned) OR new.total_votes <> (old.total_votes + 1))) EXECUTE FUNCTION check_balance();
CREATE TRIGGER balances_updated_by_console AFTER UPDATE ON user_stats REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (CURRENT_USER = 'snapswipe_console'::name) EXECUTE FUNCTION check_balance();
CREATE TRIGGER user_stats_deleted AFTER DELETE ON user_stats REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION user_stats_deleted();
CREATE TRIGGER user_stats_inserted AFTER INSERT ON user_stats REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
CREATE TRIGGER user_stats_updated AFTER UPDATE ON user_stats REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION user_stats_changed();
GRANT SELECT, INSERT, UPDATE, DELETE ON user_stats TO snapswipe_console;

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  wallet_address text NOT NULL,
  username text,
  avatar_hash text,
  twitter_link text,
  telegram_link text,
  discord_link text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (wallet_address),
  CHECK (deleted_at IS NULL OR num_nonnulls(username, avatar_hash, twitter_link, telegram_link, discord_link) = 0),
  CHECK (
CASE
    WHEN deleted_at IS NULL THEN wallet_address ~ '^0x[0-9a-f]{64}$'::text
    ELSE wallet_address = 'deleted'::text OR wallet_address = ('deleted-'::text || id)
END),
  CHECK (username ~ '^[A-Za-z0-9_]{3,24}$'::text)
);
CREATE INDEX users_avatar_hash_idx ON users USING btree (avatar_hash) WHERE avatar_hash IS NOT NULL;
CREATE INDEX users_created_at_idx ON users USING btree (created_at);
CREATE INDEX users_deleted_at_idx ON users USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower(username));
CREATE TRIGGER users_deleted AFTER DELETE ON users REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();
CREATE TRIGGER users_updated AFTER UPDATE ON users REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION users_changed();
GRANT SELECT, INSERT, UPDATE, DELETE ON users TO snapswipe_console;

CREATE TABLE verified_stats (
  project_id bigint NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  excluded_since bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id),
  CHECK (bearish >= 0),
  CHECK (bullish >= 0)
) WITH (fillfactor=50);
CREATE TRIGGER verified_stats_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON verified_stats FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('c');
CREATE TRIGGER verified_votes_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON verified_stats FOR EACH STATEMENT EXECUTE FUNCTION projects_changed('v');
GRANT SELECT ON verified_stats TO snapswipe_console;

CREATE TABLE vote_changes (
  user_id bigint NOT NULL,
  said_at timestamp with time zone NOT NULL,
  cast_at timestamp with time zone NOT NULL,
  was_said_at timestamp with time zone NOT NULL,
  turned_at timestamp with time zone NOT NULL,
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
CREATE INDEX vote_changes_user_id_said_at_idx ON vote_changes USING btree (user_id, said_at);
CREATE TRIGGER vote_changes_append_only BEFORE UPDATE OR TRUNCATE ON vote_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vote_changes_deleted AFTER DELETE ON vote_changes REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION keep_undone();
CREATE TRIGGER vote_changes_keep_deleted_empty BEFORE INSERT ON vote_changes FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT ON vote_changes TO snapswipe_console;

CREATE TABLE vote_reasons (
  user_id bigint NOT NULL,
  given_at timestamp with time zone NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reasons smallint NOT NULL,
  bullish boolean NOT NULL,
  is_public boolean NOT NULL DEFAULT false,
  is_shown boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, project_id, period),
  CHECK (reasons >= 0 AND reasons <= 31 AND bit_count(reasons::integer::bit(5)) <= 2)
);
CREATE TRIGGER vote_reasons_keep_deleted_empty BEFORE INSERT ON vote_reasons FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');

CREATE TABLE vote_state_days (
  day date NOT NULL,
  state vote_state NOT NULL,
  votes bigint NOT NULL,
  PRIMARY KEY (day, state),
  CHECK (votes > 0)
);
GRANT SELECT ON vote_state_days TO snapswipe_console;

CREATE TABLE vote_totals (
  day date NOT NULL,
  total_votes integer NOT NULL,
  users bigint NOT NULL,
  in_steps boolean NOT NULL,
  PRIMARY KEY (total_votes)
);

CREATE TABLE voter_networks (
  day date NOT NULL,
  network bytea NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (day, network, user_id),
  CHECK (octet_length(network) = 16)
);
CREATE INDEX voter_networks_user_id_idx ON voter_networks USING btree (user_id, day);

CREATE TABLE voter_secrets (
  user_id bigint NOT NULL,
  secret bytea NOT NULL,
  PRIMARY KEY (user_id),
  CHECK (octet_length(secret) = 32)
);

CREATE TABLE voter_standing (
  user_id bigint NOT NULL,
  read_on date NOT NULL,
  state voter_state NOT NULL DEFAULT 'waiting'::voter_state,
  history_read bit(64) NOT NULL DEFAULT 0::bit(64),
  history_held bit(64) NOT NULL DEFAULT 0::bit(64),
  history_unread bit(64) NOT NULL DEFAULT 0::bit(64),
  verified_days datemultirange NOT NULL DEFAULT '{}'::datemultirange,
  decided_until date NOT NULL DEFAULT '-infinity'::date,
  sunday date NOT NULL DEFAULT '-infinity'::date,
  PRIMARY KEY (user_id)
) WITH (fillfactor=75);
GRANT SELECT ON voter_standing TO snapswipe_console;

CREATE TABLE votes (
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period)
);
CREATE INDEX votes_created_at_idx ON votes USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX votes_later_periods_idx ON votes USING btree (user_id, project_id, period) WHERE period > 1;
CREATE TRIGGER votes_append_only BEFORE UPDATE OR TRUNCATE ON votes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER votes_deleted AFTER DELETE ON votes REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION keep_undone();
GRANT SELECT ON votes TO snapswipe_console;

CREATE TABLE votes_set_aside (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  reason vote_state NOT NULL,
  detail text NOT NULL,
  actor text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason = ANY (ARRAY['rhythm'::vote_state, 'moderator'::vote_state]))
);
CREATE INDEX votes_set_aside_page_idx ON votes_set_aside USING btree (created_at DESC, user_id DESC, project_id DESC, period DESC, reason DESC);
CREATE TRIGGER votes_set_aside_restate BEFORE INSERT OR DELETE ON votes_set_aside FOR EACH ROW EXECUTE FUNCTION restate_votes();
GRANT SELECT ON votes_set_aside TO snapswipe_console;

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  wallet_address text NOT NULL,
  token_amount bigint NOT NULL,
  state withdrawal_state NOT NULL DEFAULT 'requested'::withdrawal_state,
  idempotency_key text NOT NULL DEFAULT gen_random_uuid()::text,
  digest text,
  reason text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  book_id smallint,
  mark numeric(20,0),
  paid_earlier boolean NOT NULL DEFAULT false,
  by_hand boolean NOT NULL DEFAULT false,
  refused_reason text,
  sent_by text,
  sent_at timestamp with time zone,
  auto_approved_at timestamp with time zone,
  auto_checked_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (user_id, idempotency_key),
  CHECK (state <> 'paid'::withdrawal_state OR digest IS NOT NULL OR wallet_address ~~ 'deleted-%'::text),
  CHECK ((book_id IS NULL) = (mark IS NULL)),
  CHECK (token_amount >= 50),
  FOREIGN KEY (book_id) REFERENCES books(id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX withdrawals_auto_approved_idx ON withdrawals USING btree (auto_approved_at) WHERE auto_approved_at IS NOT NULL;
CREATE INDEX withdrawals_book_id_idx ON withdrawals USING btree (book_id, user_id, mark) WHERE book_id IS NOT NULL;
CREATE INDEX withdrawals_created_at_idx ON withdrawals USING btree (created_at);
CREATE INDEX withdrawals_sent_idx ON withdrawals USING btree (sent_by, sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX withdrawals_settled_idx ON withdrawals USING btree (updated_at) WHERE state = ANY (ARRAY['paid'::withdrawal_state, 'rejected'::withdrawal_state]);
CREATE INDEX withdrawals_state_idx ON withdrawals USING btree (state, id);
CREATE INDEX withdrawals_unchecked_idx ON withdrawals USING btree (auto_checked_at NULLS FIRST, id) WHERE state = 'requested'::withdrawal_state;
CREATE INDEX withdrawals_user_page_idx ON withdrawals USING btree (user_id, id DESC);
CREATE TRIGGER withdrawals_keep_deleted_empty BEFORE INSERT ON withdrawals FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
GRANT SELECT, INSERT, UPDATE, DELETE ON withdrawals TO snapswipe_console;

CREATE VIEW ledger_entries AS
 SELECT votes.user_id,
    'vote_reward'::ledger_kind AS kind,
    votes.project_id::bigint AS ref,
    10::bigint AS amount,
    votes.created_at
   FROM votes
UNION ALL
 SELECT undone_votes.user_id,
    'vote_reward'::ledger_kind AS kind,
    undone_votes.project_id::bigint AS ref,
    undone_votes.tokens::bigint AS amount,
    undone_votes.created_at
   FROM undone_votes
  WHERE undone_votes.tokens > 0
UNION ALL
 SELECT token_ledger.user_id,
    token_ledger.kind,
    token_ledger.ref,
    token_ledger.amount,
    token_ledger.created_at
   FROM token_ledger;

CREATE VIEW open_identity_changes AS
 SELECT project_id,
    identity,
    number,
    changed_at,
    what,
    old_name,
    votes_before,
    bullish,
    bearish,
    trend_bullish,
    trend_bearish,
    trend_weight,
    is_same
   FROM identity_changes
  WHERE NOT is_same;

CREATE VIEW opinion_states AS
 SELECT user_id,
    project_id,
    period,
    bullish,
    created_at,
    said_at,
    turned_at,
    changed_at,
    replaced_at,
    unreplaced_state,
        CASE
            WHEN replaced_at IS NULL THEN unreplaced_state
            ELSE 'replaced'::text::vote_state
        END AS state
   FROM ( SELECT o.user_id,
            o.project_id,
            o.period,
            o.bullish,
            o.created_at,
            o.said_at,
            o.turned_at,
            c.said_at AS changed_at,
            n.created_at AS replaced_at,
                CASE
                    WHEN m.reason IS NOT NULL THEN m.reason
                    WHEN r.reason IS NOT NULL THEN r.reason
                    WHEN s.verified_days @> (o.said_at AT TIME ZONE 'UTC'::text)::date THEN 'verified'::vote_state
                    WHEN s.decided_until >= (o.said_at AT TIME ZONE 'UTC'::text)::date THEN 'no_standing'::vote_state
                    ELSE 'waiting'::vote_state
                END AS unreplaced_state
           FROM opinions o
             LEFT JOIN vote_changes c ON c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at
             LEFT JOIN voter_standing s ON s.user_id = o.user_id
             LEFT JOIN votes_set_aside m ON m.user_id = o.user_id AND m.project_id = o.project_id AND m.period = o.period AND m.reason = 'moderator'::vote_state
             LEFT JOIN votes_set_aside r ON r.user_id = o.user_id AND r.project_id = o.project_id AND r.period = o.period AND r.reason = 'rhythm'::vote_state
             LEFT JOIN ( SELECT l.user_id,
                    l.project_id,
                    l.created_at,
                    ( SELECT max(e.period) AS max
                           FROM votes e
                          WHERE e.user_id = l.user_id AND e.project_id = l.project_id AND e.period < l.period) AS replaces
                   FROM votes l
                  WHERE l.period > 1) n ON n.user_id = o.user_id AND n.project_id = o.project_id AND n.replaces = o.period) x;

CREATE VIEW opinions AS
 SELECT votes.user_id,
    votes.project_id,
    votes.period,
    votes.created_at,
    votes.created_at AS said_at,
    votes.created_at AS turned_at,
    votes.bullish
   FROM votes
UNION ALL
 SELECT vote_changes.user_id,
    vote_changes.project_id,
    vote_changes.period,
    vote_changes.cast_at AS created_at,
    vote_changes.said_at,
    vote_changes.turned_at,
    vote_changes.bullish
   FROM vote_changes;

CREATE VIEW vote_evidence AS
 SELECT v.user_id,
    v.project_id,
    v.period,
    v.said_at AS cast_at,
    e.days_read,
    e.days_held
   FROM opinions v
     CROSS JOIN LATERAL ( SELECT count(*)::smallint AS days_read,
            count(*) FILTER (WHERE r.held)::smallint AS days_held
           FROM ( SELECT get_bit(d.history_held, 64 - d.place) = 1 AS held
                   FROM ( SELECT x.day,
                            s.history_read,
                            s.history_held,
                            row_number() OVER (ORDER BY x.day DESC)::integer AS place
                           FROM voter_standing s
                             JOIN standing_days x ON x.day <= s.read_on AND x.skipped IS NULL
                          WHERE s.user_id = v.user_id
                          ORDER BY x.day DESC
                         LIMIT 64) d
                  WHERE d.day > (v.said_at AT TIME ZONE 'UTC'::text)::date AND get_bit(d.history_read, 64 - d.place) = 1
                  ORDER BY d.day
                 LIMIT 35) r) e
  WHERE NOT (EXISTS ( SELECT
           FROM vote_changes c
          WHERE c.user_id = v.user_id AND c.project_id = v.project_id AND c.period = v.period AND c.was_said_at = v.said_at));

CREATE VIEW vote_states AS
 SELECT user_id,
    project_id,
    period,
    bullish,
    created_at,
    replaced_at,
    unreplaced_state,
    state,
    said_at,
    turned_at
   FROM opinion_states
  WHERE changed_at IS NULL;

-- admins_changed() → trigger
-- are_ascending(timestamp with time zone[]) → boolean
-- cast_votes(bytea[],bigint[],bigint[],boolean[],integer,interval,bigint[]) → TABLE(ord integer, outcome vote_outcome, total_votes integer, bullish integer, bearish integer, streak integer, balance bigint, tokens_earned bigint, window_votes integer, window_started_at timestamp with time zone)
-- change_vote(bigint,bigint,boolean,integer,interval,interval,bigint) → change_outcome
-- check_balance() → trigger
-- clear_look_alike_keys() → trigger
-- close_day(date,timestamp with time zone) → void
-- close_names(text,integer) → TABLE(id bigint)
-- date_entry() → trigger
-- feed_of(bigint,bigint,integer) → TABLE(id bigint, total bigint)
-- follow_ownership() → trigger
-- grant_console() → void
-- identity_at(bigint,integer,timestamp with time zone) → integer
-- is_barred(integer[],smallint[],bigint,integer) → boolean
-- keep_deleted_empty() → trigger
-- keep_ownership() → trigger
-- keep_slug() → trigger
-- keep_undone() → trigger
-- keep_version() → trigger
-- list_project() → trigger
-- lower_figures(bigint,bigint,integer) → void
-- name_key(text) → text
-- new_secret() → bytea
-- notices_changed() → trigger
-- notify_servers(text,bigint[]) → void
-- number_version() → trigger
-- original_of(text) → text
-- period_at(timestamp with time zone[],timestamp with time zone) → integer
-- projects_changed() → trigger
-- pseudonym_of(bytea,bigint) → bytea
-- refresh_top_voters() → void
-- refuse_change() → trigger
-- replies_changed() → trigger
-- restate_votes() → trigger
-- reviews_changed() → trigger
-- session_changed() → trigger
-- sessions_changed() → trigger
-- slug_base(text) → text
-- undo_vote(bigint,bigint,interval) → undo_outcome
-- user_stats_changed() → trigger
-- user_stats_deleted() → trigger
-- users_changed() → trigger
-- version_hash(bytea,text,text,text,text,text,text) → bytea
-- vote_digest(bytea,date,boolean,integer) → bigint
-- vote_time(timestamp with time zone) → timestamp with time zone
-- voted_by(bigint[]) → TABLE(now text, keys text)
-- wilson_bound(bigint,bigint) → double precision
-- without_invisible(text) → text
