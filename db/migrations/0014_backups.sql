-- What an operator has to know of the database's copies and size: which backups were made, from which one the database came back, and how
-- much it holds. docs/decisions/0038-backups.md

-- A backup, noted when it begins. A copy holds its own row unfinished; the restore completes it.
CREATE TABLE backups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- 'dump': `npm run backup`. 'physical': pgBackRest, whose script notes it (deploy/pgbackrest).
  kind text NOT NULL CHECK (kind IN ('dump', 'physical')),
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  bytes bigint CHECK (bytes >= 0),
  tables int CHECK (tables >= 0),
  -- SHA-256 of the manifest, which holds those of all files; pgBackRest's label for a physical one.
  checksum text,
  error text,
  CHECK (error IS NULL OR finished_at IS NOT NULL)
);
CREATE INDEX backups_finished_at_idx ON backups (finished_at DESC) WHERE error IS NULL;

-- Each time the database went back to an earlier moment.
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  restored_at timestamptz NOT NULL DEFAULT now(),
  -- What was committed later is lost.
  moment timestamptz NOT NULL,
  -- Days of the record that were published after that moment may be missing here: nothing more is published until the operator has put
  -- them back or has said that there are none.
  record_waits boolean NOT NULL
);

-- How much the database holds by subject, noted once a day.
CREATE TABLE storage_figures (
  day date NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (day, name)
);
