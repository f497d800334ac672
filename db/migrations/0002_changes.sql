-- Changes of mind (R57). An opinion is what a voter said about a project in a listing period: the vote, then each change or
-- confirmation of it. The newest one counts. Votes stay as they were cast, with their reward; a change is a row of its own, so both tables
-- only grow, and the opinions of any past moment can be read.

-- Later opinions. Append-only: a row leaves only by being undone (keep_undone). `said_on` in the key allows one a day, by the clock of the
-- database; the second key allows each opinion one successor, so that the opinions of a voter form one chain under any concurrency.
CREATE TABLE vote_changes (
  user_id bigint NOT NULL,
  said_at timestamptz NOT NULL,
  -- When the vote was cast, and when the opinion was given that this one replaces.
  cast_at timestamptz NOT NULL,
  was_said_at timestamptz NOT NULL,
  -- When the voter took this direction: said_at, or for a confirmation the time of the opinion before. 'Trending' goes by it.
  turned_at timestamptz NOT NULL,
  project_id integer NOT NULL,
  said_on date NOT NULL GENERATED ALWAYS AS ((said_at AT TIME ZONE 'UTC')::date) STORED,
  period smallint NOT NULL,
  bullish boolean NOT NULL,
  was_bullish boolean NOT NULL,
  PRIMARY KEY (user_id, project_id, period, said_on),
  UNIQUE (user_id, project_id, period, was_said_at),
  CHECK (cast_at <= was_said_at AND was_said_at < said_at),
  CHECK (CASE WHEN bullish = was_bullish THEN turned_at BETWEEN cast_at AND was_said_at ELSE turned_at = said_at END)
);
CREATE INDEX vote_changes_said_at_idx ON vote_changes USING brin (said_at) WITH (pages_per_range='32', autosummarize='on');

-- Every opinion. `created_at` is when the vote was cast, `said_at` when the opinion was given.
CREATE VIEW opinions AS
  SELECT user_id, project_id, period, created_at, created_at AS said_at, created_at AS turned_at, bullish FROM votes
  UNION ALL
  SELECT user_id, project_id, period, cast_at, said_at, turned_at, bullish FROM vote_changes;

-- Every opinion with its state. The one place where the rule of a state is in SQL; shared/states/votes.ts is the same as a function. A
-- moderator's decision wins over the rhythm rule, both win over the readings. Both set aside the vote with all changes of it, so a change
-- washes nothing; a decision after 35 days is about one opinion. `changed_at`: the next opinion of the same period, null for the newest;
-- opinions as of a moment T are those with said_at < T and (changed_at >= T) IS NOT FALSE.
CREATE VIEW opinion_states AS
  SELECT x.*, CASE WHEN x.replaced_at IS NULL THEN x.unreplaced_state ELSE 'replaced'::text::vote_state END AS state
  FROM (
    SELECT o.user_id, o.project_id, o.period, o.bullish, o.created_at, o.said_at, o.turned_at, c.said_at AS changed_at, n.created_at AS replaced_at,
      CASE
        WHEN m.reason IS NOT NULL THEN m.reason
        WHEN r.reason IS NOT NULL THEN r.reason
        WHEN d.state IS NOT NULL THEN d.state
        WHEN s.state = 'standing' THEN 'verified'
        ELSE 'waiting'
      END::vote_state AS unreplaced_state
    FROM opinions o
    LEFT JOIN vote_changes c ON c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at
    LEFT JOIN voter_standing s ON s.user_id = o.user_id
    LEFT JOIN vote_decisions d ON d.user_id = o.user_id AND d.project_id = o.project_id AND d.period = o.period AND d.cast_at = o.said_at
    LEFT JOIN votes_set_aside m ON m.user_id = o.user_id AND m.project_id = o.project_id AND m.period = o.period AND m.reason = 'moderator'
    LEFT JOIN votes_set_aside r ON r.user_id = o.user_id AND r.project_id = o.project_id AND r.period = o.period AND r.reason = 'rhythm'
    -- Votes of later periods, each beside the one that it replaces.
    LEFT JOIN (
      SELECT l.user_id, l.project_id, l.created_at, (SELECT max(e.period) FROM votes e
        WHERE e.user_id = l.user_id AND e.project_id = l.project_id AND e.period < l.period) AS replaces
      FROM votes l WHERE l.period > 1
    ) n ON n.user_id = o.user_id AND n.project_id = o.project_id AND n.replaces = o.period
  ) x;

-- Every vote with its newest opinion.
CREATE OR REPLACE VIEW vote_states AS
  SELECT user_id, project_id, period, bullish, created_at, replaced_at, unreplaced_state, state, said_at, turned_at
  FROM opinion_states WHERE changed_at IS NULL;

-- The rule of a decision, for the newest opinion of every vote as if it were made now; shared/states/votes.ts is the same as a function.
-- Each change and each confirmation starts 35 days of its own (R38): `cast_at` is when the opinion was given. Of the days after that day
-- the first 35 count, and with fewer than ten days read among them all that were read since. Deleted accounts are not read any longer: they
-- do not wait.
CREATE OR REPLACE VIEW vote_evidence AS
  SELECT o.user_id, o.project_id, o.period, o.said_at AS cast_at, e.days_read, e.days_held, CASE
      WHEN e.days_read < 10 AND u.deleted_at IS NULL THEN 'waiting'
      WHEN e.days_read >= 10 AND 2 * e.days_held > e.days_read THEN 'verified'
      ELSE 'no_standing'
    END::vote_state AS decision
  FROM opinions o
  JOIN users u ON u.id = o.user_id
  LEFT JOIN voter_standing s ON s.user_id = o.user_id
  -- Days read on the site up to the last one on which the wallet was, within the 35 days and behind them.
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.day <= x.day + 35)::int AS within, count(*) FILTER (WHERE d.day > x.day + 35)::int AS behind
    FROM (SELECT (o.said_at AT TIME ZONE 'UTC')::date AS day) x
    JOIN standing_days d ON d.day > x.day AND d.day <= s.read_on AND d.skipped IS NULL
  ) n
  CROSS JOIN LATERAL (
    SELECT (s.history_read >> n.behind) & ((-1)::bit(64) >> (64 - n.within)) AS read_within,
      (s.history_held >> n.behind) & ((-1)::bit(64) >> (64 - n.within)) AS held_within,
      s.history_read & ((-1)::bit(64) >> greatest(64 - n.within - n.behind, 0)) AS read_since,
      s.history_held & ((-1)::bit(64) >> greatest(64 - n.within - n.behind, 0)) AS held_since
  ) b
  CROSS JOIN LATERAL (
    SELECT coalesce(bit_count(CASE WHEN bit_count(b.read_within) < 10 THEN b.read_since ELSE b.read_within END), 0)::smallint AS days_read,
      coalesce(bit_count(CASE WHEN bit_count(b.read_within) < 10 THEN b.held_since ELSE b.held_within END), 0)::smallint AS days_held
  ) e
  WHERE NOT EXISTS (SELECT FROM vote_changes c
    WHERE c.user_id = o.user_id AND c.project_id = o.project_id AND c.period = o.period AND c.was_said_at = o.said_at);

-- An undone change is kept beside the undone votes, with 0 Snaps: together they are the ten undos of six hours (R59). The ledger has
-- entries for votes only.
ALTER TABLE undone_votes DROP CONSTRAINT undone_votes_tokens_check, ADD CONSTRAINT undone_votes_tokens_check CHECK (tokens >= 0);
CREATE OR REPLACE VIEW ledger_entries AS
  SELECT user_id, 'vote_reward'::ledger_kind AS kind, project_id::bigint AS ref, tokens::bigint AS amount, created_at FROM votes
  UNION ALL
  SELECT user_id, 'vote_reward'::ledger_kind, project_id::bigint, tokens::bigint, created_at FROM undone_votes WHERE tokens > 0
  UNION ALL
  SELECT user_id, kind, ref, amount, created_at FROM token_ledger;

CREATE TYPE change_outcome AS ENUM (
  'changed', 'confirmed', 'no_project', 'own_project', 'no_vote', 'expired', 'changed_today', 'too_soon', 'window_full'
);

-- Own votes that a daily deck has brought back ('Still bullish?', R61): each at most once in a listing period for the same reason.
CREATE TABLE asked_again (
  user_id bigint NOT NULL,
  project_id integer NOT NULL,
  period smallint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (user_id, project_id, period, reason),
  CHECK (reason IN ('identity', 'moved', 'old')),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Voters who turned bullish, or bearish, on the day: by a change, or by a vote in a later listing period.
ALTER TABLE project_days
  ADD COLUMN turned_bullish bigint NOT NULL DEFAULT 0 CHECK (turned_bullish >= 0),
  ADD COLUMN turned_bearish bigint NOT NULL DEFAULT 0 CHECK (turned_bearish >= 0);

-- Opinions by the day on which they were given (`said_on`): those given count on that day, and those replaced count below zero on the day
-- of the newer opinion (`counted_on`). Their sum over the last 30 days of `said_on` is 'Now' (R58). Older days are deleted.
CREATE TABLE opinion_days (
  project_id bigint NOT NULL,
  said_on date NOT NULL,
  counted_on date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, said_on, counted_on),
  CHECK (said_on <= counted_on)
);
CREATE INDEX opinion_days_counted_on_idx ON opinion_days (counted_on);
CREATE INDEX opinion_days_said_on_idx ON opinion_days (said_on);

-- count_project_days continues from the newest counted day, so the 30 days before are counted here.
WITH given AS (
  SELECT v.project_id, (v.created_at AT TIME ZONE 'UTC')::date AS said_on, (v.created_at AT TIME ZONE 'UTC')::date AS counted_on,
    v.bullish::int AS bullish, (NOT v.bullish)::int AS bearish
  FROM votes v WHERE v.created_at >= ((now() AT TIME ZONE 'UTC')::date - 30)::timestamp AT TIME ZONE 'UTC'
  UNION ALL
  SELECT v.project_id, (e.created_at AT TIME ZONE 'UTC')::date, (v.created_at AT TIME ZONE 'UTC')::date, -e.bullish::int, -(NOT e.bullish)::int
  FROM votes v CROSS JOIN LATERAL (
    SELECT x.created_at, x.bullish FROM votes x WHERE x.user_id = v.user_id AND x.project_id = v.project_id AND x.period < v.period
    ORDER BY x.period DESC LIMIT 1) e
  WHERE v.period > 1 AND v.created_at >= ((now() AT TIME ZONE 'UTC')::date - 30)::timestamp AT TIME ZONE 'UTC'
)
INSERT INTO opinion_days (project_id, said_on, counted_on, bullish, bearish)
SELECT project_id, said_on, counted_on, sum(bullish), sum(bearish) FROM given
WHERE said_on >= (now() AT TIME ZONE 'UTC')::date - 30 GROUP BY 1, 2, 3;
