-- Decisions about votes (R38): while a vote is young its state follows the last readings; when the 35 days after its own are over, it is
-- decided for good by the days read since the vote. server/standing/decide-votes.ts writes them. Decision record "Verified for good" has the
-- reasons.

-- What the readings found on each of the last 64 days that were read on the site, newest day rightmost, as of read_on: whether this wallet was
-- read, and whether it held enough. Days that were skipped have no bit. days_read and days_held say the same of the last seven days on which
-- the wallet was read.
ALTER TABLE voter_standing
  ADD COLUMN history_read bit(64) NOT NULL DEFAULT 0::bit(64),
  ADD COLUMN history_held bit(64) NOT NULL DEFAULT 0::bit(64);
UPDATE voter_standing SET history_read = ((1 << days_read) - 1)::bit(64), history_held = days_held::int::bit(64);

-- What was decided of a vote; votes without a row are too young. A vote that is changed later gets another time, which this decision is not
-- about: it counts for nothing then, and the next one replaces it.
CREATE TABLE vote_decisions (
  user_id bigint NOT NULL,
  project_id int NOT NULL,
  period smallint NOT NULL,
  -- votes.created_at as it was.
  cast_at timestamptz NOT NULL,
  -- waiting: old enough, and not read on ten days yet. Everything else is final.
  state vote_state NOT NULL CHECK (state IN ('verified', 'no_standing', 'waiting')),
  -- Days since the vote on which the wallet was read, and those of them on which it held enough.
  days_read smallint NOT NULL CHECK (days_read BETWEEN 0 AND 64),
  days_held smallint NOT NULL CHECK (days_held BETWEEN 0 AND days_read),
  -- The state that the public record holds; null: it knows of no decision.
  recorded_state vote_state,
  PRIMARY KEY (user_id, project_id, period)
);
CREATE INDEX vote_decisions_waiting_idx ON vote_decisions (user_id, project_id, period) WHERE state = 'waiting';
-- What speaks against a wallet that asks for a withdrawal, or appeals.
CREATE INDEX vote_decisions_excluded_idx ON vote_decisions (user_id) WHERE state = 'no_standing';
CREATE INDEX vote_decisions_unrecorded_idx ON vote_decisions (user_id) WHERE recorded_state IS DISTINCT FROM state;

-- Votes cast before decided_until have a row in vote_decisions. Those that wait were looked at with what was read up to the day looked_at.
ALTER TABLE verified_counts
  ADD COLUMN decided_until timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN looked_at date NOT NULL DEFAULT '-infinity';

-- The rule of a decision, for every vote as if it were made now; shared/states/votes.ts says the same as a function. Of the days after the
-- vote's own the first 35 count, and with fewer than ten days read among them all that were read since. Accounts that were deleted are not
-- read any longer: they do not wait.
CREATE VIEW vote_evidence AS
  SELECT v.user_id, v.project_id, v.period, v.created_at AS cast_at, e.days_read, e.days_held, CASE
      WHEN e.days_read < 10 AND u.deleted_at IS NULL THEN 'waiting'
      WHEN e.days_read >= 10 AND 2 * e.days_held > e.days_read THEN 'verified'
      ELSE 'no_standing'
    END::vote_state AS decision
  FROM votes v
  JOIN users u ON u.id = v.user_id
  LEFT JOIN voter_standing s ON s.user_id = v.user_id
  -- Days read on the site up to the last one on which the wallet was, within the 35 days and behind them.
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.day <= x.day + 35)::int AS within, count(*) FILTER (WHERE d.day > x.day + 35)::int AS behind
    FROM (SELECT (v.created_at AT TIME ZONE 'UTC')::date AS day) x
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
  ) e;

-- The one place where the rule of a vote's state stands; shared/states/votes.ts says the same as a function. A moderator's decision
-- wins over the rhythm rule, both win over what the readings say. no_standing is said of decided votes alone.
CREATE OR REPLACE VIEW vote_states AS
  SELECT x.*, CASE WHEN x.replaced_at IS NULL THEN x.unreplaced_state ELSE 'replaced'::text::vote_state END AS state
  FROM (
    SELECT v.user_id, v.project_id, v.period, v.bullish, v.created_at, n.created_at AS replaced_at,
      CASE
        WHEN m.reason IS NOT NULL THEN m.reason
        WHEN r.reason IS NOT NULL THEN r.reason
        WHEN d.state IS NOT NULL THEN d.state
        WHEN s.state = 'standing' THEN 'verified'
        ELSE 'waiting'
      END::vote_state AS unreplaced_state
    FROM votes v
    LEFT JOIN voter_standing s ON s.user_id = v.user_id
    LEFT JOIN vote_decisions d ON d.user_id = v.user_id AND d.project_id = v.project_id AND d.period = v.period AND d.cast_at = v.created_at
    LEFT JOIN votes_set_aside m ON m.user_id = v.user_id AND m.project_id = v.project_id AND m.period = v.period AND m.reason = 'moderator'
    LEFT JOIN votes_set_aside r ON r.user_id = v.user_id AND r.project_id = v.project_id AND r.period = v.period AND r.reason = 'rhythm'
    -- Votes of later periods, each beside the one that it replaces.
    LEFT JOIN (
      SELECT l.user_id, l.project_id, l.created_at, (SELECT max(e.period) FROM votes e
        WHERE e.user_id = l.user_id AND e.project_id = l.project_id AND e.period < l.period) AS replaces
      FROM votes l WHERE l.period > 1
    ) n ON n.user_id = v.user_id AND n.project_id = v.project_id AND n.replaces = v.period
  ) x;

-- What the record holds of votes whose voters had no standing: until now that was the state of such votes, whatever their age.
INSERT INTO recorded_votes (user_id, project_id, period, state)
  SELECT v.user_id, v.project_id, v.period, 'no_standing' FROM recorded_voters r JOIN votes v USING (user_id)
  WHERE r.state = 'no_standing' AND v.created_at < (SELECT max(until) FROM log_checkpoints)
  ON CONFLICT DO NOTHING;
