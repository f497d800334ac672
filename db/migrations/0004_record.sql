-- The public record (R40, R41): an append-only log of votes, later changes of their states, and totals. docs/record.md

-- What pseudonyms and salts of a voter are made of; shown to that voter alone, and not to the console's role.
CREATE TABLE voter_secrets (
  user_id bigint PRIMARY KEY,
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);

-- The log's tiles and bundles of entries, by their paths of C2SP tlog-tiles; bundles are compressed by gzip. Append-only
-- (refuse_change).
CREATE TABLE log_files (
  path text PRIMARY KEY,
  bytes bytea NOT NULL
);
ALTER TABLE log_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What the log committed to, newest last. A batch holds the votes cast before `until` that the batches before it do not hold.
-- Append-only (refuse_change).
CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY CHECK (size > 0),
  day date NOT NULL,
  until timestamptz NOT NULL UNIQUE,
  -- Votes in the batch, and the newest day whose readings are recorded.
  votes bigint NOT NULL,
  standing_day date,
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  signed_note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The transaction that anchors a checkpoint on Sui, stored before it is sent.
CREATE TABLE log_anchors (
  size bigint PRIMARY KEY REFERENCES log_checkpoints,
  chain_id text NOT NULL,
  digest text NOT NULL,
  transaction bytea NOT NULL,
  signature text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT now(),
  -- Null until the chain shows it.
  anchored_at timestamptz
);

-- What the record said last. The state of a vote follows from that of its voter, except where recorded_votes says another one.
CREATE TABLE recorded_voters (
  user_id bigint PRIMARY KEY,
  state voter_state NOT NULL
);
CREATE TABLE recorded_votes (
  user_id bigint NOT NULL,
  project_id int NOT NULL,
  period smallint NOT NULL,
  state vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period)
);
CREATE TABLE recorded_totals (
  project_id int NOT NULL,
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
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  size bigint NOT NULL REFERENCES log_checkpoints,
  entry_index bigint NOT NULL,
  day date NOT NULL,
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  total bigint NOT NULL,
  accounts int NOT NULL,
  -- The sum of all ledger entries, as of the same snapshot.
  ledger bigint NOT NULL
);
CREATE TABLE liability_leaves (
  user_id bigint PRIMARY KEY,
  position int NOT NULL,
  balance bigint NOT NULL CHECK (balance > 0)
);
CREATE TABLE liability_nodes (
  level smallint NOT NULL,
  position int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (level, position)
);
ALTER TABLE liability_nodes ALTER COLUMN bytes SET STORAGE EXTERNAL;
