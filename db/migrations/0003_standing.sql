-- Standing: which wallets hold SUI, which votes are verified, and which are set aside (R37 to R39). Nothing here is written while a vote
-- is counted. server/standing/ owns these tables; decision record "Verified votes" has the reasons.

-- ---------------------------------------------------------------------------------------------------------------------------
-- Readings of balances
-- ---------------------------------------------------------------------------------------------------------------------------

-- The two readings of a UTC day. Their moments are drawn when the day begins and stay secret until the day is over: the console's
-- role has no rights here.
CREATE TABLE standing_readings (
  day date NOT NULL,
  reading smallint NOT NULL CHECK (reading IN (1, 2)),
  starts_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- Why the reading failed, in words.
  failed_because text,
  wallets int NOT NULL DEFAULT 0 CHECK (wallets >= 0),
  -- Wallets whose balance could not be read.
  unread int NOT NULL DEFAULT 0 CHECK (unread >= 0),
  PRIMARY KEY (day, reading)
);

-- The wallets of the readings under way, each at a random place. A reading goes on from here after a crash; its rows go when the day
-- is closed. No balance is stored, only whether it was enough (null: not read).
CREATE TABLE standing_reads (
  day date NOT NULL,
  reading smallint NOT NULL,
  place int NOT NULL,
  user_id bigint NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  has_enough boolean,
  PRIMARY KEY (day, reading, place)
);
-- What is left to read, those that failed before last.
CREATE INDEX standing_reads_left_idx ON standing_reads (day, reading, attempts, place) WHERE has_enough IS NULL;

-- Days that are over, kept permanently: what both readings said, or why the day counts neither for nor against anybody.
CREATE TABLE standing_days (
  day date PRIMARY KEY,
  skipped text,
  -- Wallets read in both readings, and those of them that held enough in both.
  wallets int NOT NULL DEFAULT 0,
  standing int NOT NULL DEFAULT 0,
  unread int NOT NULL DEFAULT 0,
  CHECK (standing BETWEEN 0 AND wallets),
  CHECK (skipped IS NULL OR wallets = 0)
);

CREATE TYPE voter_state AS ENUM ('waiting', 'no_standing', 'standing');

-- What the readings say of each voter who was read. days_held has a bit for each of the last seven days read (1: the newest), of
-- which days_read exist.
CREATE TABLE voter_standing (
  user_id bigint PRIMARY KEY,
  read_on date NOT NULL,
  days_read smallint NOT NULL CHECK (days_read BETWEEN 0 AND 7),
  days_held smallint NOT NULL CHECK (days_held BETWEEN 0 AND 127),
  state voter_state NOT NULL DEFAULT 'waiting'
) WITH (fillfactor = 75);

-- ---------------------------------------------------------------------------------------------------------------------------
-- States of votes
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TYPE vote_state AS ENUM ('verified', 'waiting', 'no_standing', 'rhythm', 'moderator');

-- Votes that are set aside by themselves, whatever the standing of their voter. Lifting deletes the row; audit_log keeps who did it.
CREATE TABLE votes_set_aside (
  user_id bigint NOT NULL,
  project_id int NOT NULL,
  period smallint NOT NULL DEFAULT 1,
  reason vote_state NOT NULL CHECK (reason IN ('rhythm', 'moderator')),
  -- What the voter reads.
  detail text NOT NULL,
  actor text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id, period, reason)
);
CREATE INDEX votes_set_aside_page_idx ON votes_set_aside (created_at DESC, user_id DESC, project_id DESC, period DESC, reason DESC);

-- The one place where the rule of a vote's state stands; shared/states/votes.ts says the same as a function. A moderator's decision
-- wins over the rhythm rule.
CREATE VIEW vote_states AS
  SELECT v.user_id, v.project_id, v.period, v.bullish, v.created_at,
    CASE
      WHEN m.reason IS NOT NULL THEN m.reason
      WHEN r.reason IS NOT NULL THEN r.reason
      WHEN s.state = 'standing' THEN 'verified'
      WHEN s.state = 'no_standing' THEN 'no_standing'
      ELSE 'waiting'
    END::vote_state AS state
  FROM votes v
  LEFT JOIN voter_standing s ON s.user_id = v.user_id
  LEFT JOIN votes_set_aside m ON m.user_id = v.user_id AND m.project_id = v.project_id AND m.period = v.period AND m.reason = 'moderator'
  LEFT JOIN votes_set_aside r ON r.user_id = v.user_id AND r.project_id = v.project_id AND r.period = v.period AND r.reason = 'rhythm';

-- Verified votes of a project, as of verified_counts.counted_until. Projects without any have no row.
CREATE TABLE verified_stats (
  project_id bigint NOT NULL,
  period smallint NOT NULL,
  bullish bigint NOT NULL CHECK (bullish >= 0),
  bearish bigint NOT NULL CHECK (bearish >= 0),
  PRIMARY KEY (project_id, period)
) WITH (fillfactor = 50);

-- Votes by the day on which they were cast, and their state; as of the same moment.
CREATE TABLE vote_state_days (
  day date NOT NULL,
  state vote_state NOT NULL,
  votes bigint NOT NULL CHECK (votes > 0),
  PRIMARY KEY (day, state)
);

-- One row: the last count of verified votes.
CREATE TABLE verified_counts (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Votes created before are counted.
  counted_until timestamptz NOT NULL,
  counted_at timestamptz NOT NULL,
  duration_ms int NOT NULL,
  -- A vote was set aside or lifted since: the counters are exact again after the next count.
  is_stale boolean NOT NULL DEFAULT false
);

-- ---------------------------------------------------------------------------------------------------------------------------
-- Networks, appeals
-- ---------------------------------------------------------------------------------------------------------------------------

-- Networks (/24 or /48) that voters came from, as a hash with the salt of the day; kept for 35 days. No address is stored.
CREATE TABLE voter_networks (
  day date NOT NULL,
  network bytea NOT NULL CHECK (octet_length(network) = 16),
  user_id bigint NOT NULL,
  PRIMARY KEY (day, network, user_id)
);
CREATE INDEX voter_networks_user_id_idx ON voter_networks (user_id, day);

-- Gone when its day is over: from then on nobody can tell which address a hash stands for.
CREATE TABLE network_salts (
  day date PRIMARY KEY,
  salt bytea NOT NULL CHECK (octet_length(salt) = 32)
);

-- Days whose votes the rhythm rule has compared.
CREATE TABLE rhythm_days (
  day date PRIMARY KEY,
  networks int NOT NULL,
  wallets int NOT NULL,
  votes_set_aside int NOT NULL
);

-- A voter's note about votes that do not count, and the admin's answer.
CREATE TABLE appeals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  answer text CHECK (char_length(answer) BETWEEN 1 AND 300),
  answered_at timestamptz,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
-- One open appeal of a user.
CREATE UNIQUE INDEX appeals_open_key ON appeals (user_id) WHERE answered_at IS NULL;
CREATE INDEX appeals_open_page_idx ON appeals (id) WHERE answered_at IS NULL;
CREATE INDEX appeals_answered_page_idx ON appeals (id DESC) WHERE answered_at IS NOT NULL;
CREATE INDEX appeals_user_id_idx ON appeals (user_id, id DESC);

ALTER TYPE activity_kind ADD VALUE 'vote_set_aside';
ALTER TYPE activity_kind ADD VALUE 'vote_restored';
ALTER TYPE activity_kind ADD VALUE 'appeal_answered';
