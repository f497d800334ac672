-- Users, sessions, projects, votes, tokens. Hot-path tables are keyed by user_id first, without sequences or foreign keys
-- (a vote writes four rows; the checks they would make are made by cast_votes itself).

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

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
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
  category text NOT NULL,
  description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 200),
  image_hash text NOT NULL,
  twitter_handle text NOT NULL,
  website text,
  owner_id bigint NOT NULL REFERENCES users,
  transaction_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  hidden_at timestamptz,
  hidden_reason text
);
CREATE INDEX projects_owner_id_idx ON projects (owner_id);
CREATE INDEX projects_expires_at_idx ON projects (expires_at) WHERE hidden_at IS NULL;

-- Every slug a project ever had; the present one is projects.slug, the others redirect to it.
CREATE TABLE project_slugs (
  slug text PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE
);

CREATE TABLE project_stats (
  project_id bigint PRIMARY KEY,
  bullish bigint NOT NULL DEFAULT 0 CHECK (bullish >= 0),
  bearish bigint NOT NULL DEFAULT 0 CHECK (bearish >= 0)
) WITH (fillfactor = 25);

-- Counters of a user; balance is always the sum of the ledger, earned the sum of its vote rewards.
CREATE TABLE user_stats (
  user_id bigint PRIMARY KEY,
  total int NOT NULL DEFAULT 0,
  bullish int NOT NULL DEFAULT 0,
  bearish int NOT NULL DEFAULT 0,
  streak int NOT NULL DEFAULT 0,
  last_day int NOT NULL DEFAULT 0,
  window_started_at timestamptz,
  window_votes smallint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  earned bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 75);
CREATE INDEX user_stats_total_idx ON user_stats (total DESC, user_id) WHERE total > 0;

CREATE TABLE votes (
  user_id bigint NOT NULL,
  project_id bigint NOT NULL,
  bullish boolean NOT NULL,
  tokens smallint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, project_id)
);

-- Append-only. kind: 1 vote reward (ref project), 2 review burn (ref review), 3 withdrawal hold, 4 hold release, 5 payout
-- (ref withdrawal). The natural key makes each change happen once.
CREATE TABLE token_ledger (
  user_id bigint NOT NULL,
  kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 5),
  ref bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind, ref)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER token_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON token_ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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

-- What the user was told about money or tokens (R36).
CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  text text NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  amount_mist bigint,
  digest text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX activity_user_id_idx ON activity (user_id, id DESC);

CREATE TABLE config (
  config_key text PRIMARY KEY,
  config_value text NOT NULL
);
INSERT INTO config VALUES ('WITHDRAWALS_PAUSED', 'false');
