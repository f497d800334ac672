-- Which coin and package a listing names, where it comes from (R70), and the proof that its owner controls them (R71).

CREATE TYPE coin_source AS ENUM ('lister', 'catalogue', 'moderator');
CREATE TYPE ownership_state AS ENUM ('controls', 'proven', 'accepted', 'lost');

ALTER TABLE projects
  -- As shared/coin-type.ts writes them.
  ADD COLUMN coin_type text CHECK (octet_length(coin_type) <= 500),
  ADD COLUMN package_id text CHECK (package_id ~ '^0x[0-9a-f]{64}$'),
  -- Who set the two. What a lister typed proves nothing: anybody can publish a coin of any name.
  ADD COLUMN coin_source coin_source NOT NULL DEFAULT 'lister',
  -- Part of the catalogue; other listings are paid where they have a transaction.
  ADD COLUMN is_catalogue boolean NOT NULL DEFAULT false;

-- The newest proof for a listing. Salt and hash are those of an `owner` entry in docs/use/record.md. Triggers write since and ownership_events.
CREATE TABLE ownerships (
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  -- The coin type or package that the listing names.
  subject text NOT NULL CHECK (octet_length(subject) <= 500),
  -- Null after the account of the wallet was deleted; only the hash stays.
  wallet text,
  salt bytea CHECK (octet_length(salt) = 16),
  -- The object that was held, and the newest checkpoint before it was read; null for a proof accepted by hand.
  object_type text,
  object_id text,
  object_version numeric(20),
  checkpoint numeric(20),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  -- The admin's reason for a proof accepted by hand.
  reason text,
  since timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
-- Two listings of one coin cannot both be proven.
CREATE UNIQUE INDEX ownerships_subject_key ON ownerships (subject) WHERE state IN ('proven', 'accepted');
-- Which proofs are due for another look.
CREATE INDEX ownerships_due_idx ON ownerships (checked_at) WHERE state IN ('controls', 'proven');

-- What became of proofs, for the public record.
CREATE TABLE ownership_events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  state ownership_state NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL,
  is_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ownership_events_project_id_idx ON ownership_events (project_id);
CREATE INDEX ownership_events_unrecorded_idx ON ownership_events (project_id, id) WHERE NOT is_recorded;
