-- Holders of a project's coin among its voters (R73).

ALTER TABLE projects
  -- Whole units of the coin that make a wallet one of its holders.
  ADD COLUMN coin_minimum bigint NOT NULL DEFAULT 1 CHECK (coin_minimum BETWEEN 1 AND 1000000000000000),
  -- When the coin, its minimum or its source changed last: readings until then are about something else. A trigger writes it.
  ADD COLUMN coin_set_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
-- The listings whose coin is read.
CREATE INDEX projects_read_coins_idx ON projects (id) WHERE coin_type IS NOT NULL AND coin_source <> 'lister' AND hidden_at IS NULL;

-- Decimals of these coins, from the metadata on the chain; null for a coin without any.
CREATE TABLE coin_decimals (
  coin_type text NOT NULL CHECK (octet_length(coin_type) <= 500),
  decimals smallint CHECK (decimals BETWEEN 0 AND 255),
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (coin_type)
);

-- A reading of the coins of all voters, after the readings of standing of its day; its pace is theirs.
CREATE TABLE holder_readings (
  day date NOT NULL,
  wallets integer NOT NULL CHECK (wallets >= 0),
  finished_at timestamptz,
  max_per_second real CHECK (max_per_second > 0),
  pause_ms integer NOT NULL DEFAULT 0 CHECK (pause_ms >= 0),
  paused_until timestamptz,
  PRIMARY KEY (day)
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
  days_read smallint NOT NULL CHECK (days_read BETWEEN 1 AND 7),
  days_held smallint NOT NULL CHECK (days_held BETWEEN 0 AND 127),
  PRIMARY KEY (project_id, user_id)
) WITH (fillfactor = 75);
CREATE INDEX holder_standing_user_id_idx ON holder_standing (user_id);

-- What is shown and recorded: verified votes of holders and of others, a row a week where enough of them are new.
CREATE TABLE holder_figures (
  project_id integer NOT NULL,
  day date NOT NULL,
  holders_bullish bigint NOT NULL CHECK (holders_bullish >= 0),
  holders_bearish bigint NOT NULL CHECK (holders_bearish >= 0),
  others_bullish bigint NOT NULL CHECK (others_bullish >= 0),
  others_bearish bigint NOT NULL CHECK (others_bearish >= 0),
  counted_at timestamptz NOT NULL DEFAULT now(),
  -- The day of the batch of the public record that has it.
  recorded_on date,
  PRIMARY KEY (project_id, day),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX holder_figures_unrecorded_idx ON holder_figures (project_id, day) WHERE recorded_on IS NULL;
