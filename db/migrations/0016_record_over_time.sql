-- The public record keeps its promises over time (R62 to R65). docs/record.md

-- What the log has said of itself up to a checkpoint: its format, and the wallet that anchors it (null: none).
ALTER TABLE log_checkpoints ADD COLUMN format smallint NOT NULL DEFAULT 1, ADD COLUMN anchor_sender text;

-- Snaps of open withdrawals are owed, too: a leaf commits to both numbers, and `total` of the proof to their sum.
ALTER TABLE liability_leaves ADD COLUMN held bigint NOT NULL DEFAULT 0 CHECK (held >= 0);
ALTER TABLE liability_leaves DROP CONSTRAINT liability_leaves_balance_check,
  ADD CONSTRAINT liability_leaves_balance_check CHECK (balance >= 0),
  ADD CONSTRAINT liability_leaves_owed_check CHECK (balance + held > 0);

-- Digests of all recorded votes by project and listing period, computed from the table of votes after each publication.
CREATE TABLE record_digests (
  project_id int NOT NULL,
  period smallint NOT NULL,
  -- The checkpoint whose votes were read.
  size bigint NOT NULL REFERENCES log_checkpoints,
  digest text NOT NULL,
  PRIMARY KEY (project_id, period)
);

-- Lines of witnesses (C2SP tlog-cosignature) for our checkpoints, in the order in which they came. Append-only (refuse_change).
CREATE TABLE log_cosignatures (
  size bigint NOT NULL REFERENCES log_checkpoints,
  witness text NOT NULL,
  line text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (size, witness)
);

-- The newest checkpoint of each log that this site witnesses (C2SP tlog-witness).
CREATE TABLE witnessed_logs (
  origin text PRIMARY KEY,
  size bigint NOT NULL CHECK (size >= 0),
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  updated_at timestamptz NOT NULL DEFAULT now()
);
