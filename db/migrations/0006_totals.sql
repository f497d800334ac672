-- Totals of opinions and of the ledger, moved by what is new (R69): server/figures/totals/. Everything given before totals_state.counted_until is in
-- them. Readers add what was given since.
CREATE TABLE totals (
  -- opinions (by project, period and identity: bullish, bearish, verified_bullish, verified_bearish) · days (by day of the vote and state) ·
  -- trend (verified ones by project, identity and day of the direction) · said · ledger (by kind of entry) · entries · holders
  name text NOT NULL,
  project_id integer NOT NULL DEFAULT 0,
  period smallint NOT NULL DEFAULT 0,
  identity integer NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '-infinity',
  kind text NOT NULL DEFAULT '',
  value bigint NOT NULL,
  PRIMARY KEY (name, project_id, period, identity, day, kind)
) WITH (fillfactor = 50);

CREATE TABLE totals_state (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  counted_until timestamptz NOT NULL DEFAULT '-infinity',
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
  recount_lines text[] NOT NULL DEFAULT '{}',
  recount_ms bigint NOT NULL DEFAULT 0,
  -- Balances by the last recount: when it began, their sum less that of the ledger, and users whose balance differs from their entries.
  checked_at timestamptz,
  checked_excess bigint NOT NULL DEFAULT 0,
  checked_differing bigint NOT NULL DEFAULT 0
);
INSERT INTO totals_state DEFAULT VALUES;

-- What the recount has counted so far, and what was kept.
CREATE TABLE recounted_totals (
  name text NOT NULL,
  project_id integer NOT NULL DEFAULT 0,
  period smallint NOT NULL DEFAULT 0,
  identity integer NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '-infinity',
  kind text NOT NULL DEFAULT '',
  kept bigint NOT NULL DEFAULT 0,
  counted bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (name, project_id, period, identity, day, kind)
) WITH (fillfactor = 50);

-- Opinions whose state has changed since they were counted, and the state as which they are in the totals.
CREATE TABLE restated_votes (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  said_at timestamptz NOT NULL,
  counted_as vote_state NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_at)
);

-- Voters whose readings have changed since their state was worked out.
ALTER TABLE voter_standing ADD COLUMN is_due boolean NOT NULL DEFAULT true;
CREATE INDEX voter_standing_due_idx ON voter_standing (user_id) WHERE is_due;

-- What is new is found by time.
CREATE INDEX token_ledger_created_at_idx ON token_ledger USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- Counted from the votes with the digest: standing ones at the end of the checkpoint.
ALTER TABLE record_digests ADD COLUMN bullish bigint, ADD COLUMN bearish bigint;
