-- Listing periods (R45) and votes that were taken back (R46). docs/decisions/0030-periods-and-undo.md

-- When each listing period of a project begins, in order; the first is the listing's own. The present period is the number of starts that
-- are not after now (period_at): a vote reads it from the row of the project, which it reads anyway. A renewal appends a start.
ALTER TABLE projects ADD COLUMN period_starts timestamptz[] NOT NULL DEFAULT ARRAY[now()];

-- What payments tell of the renewals so far: each begins when the listing before it ends, or when it was paid for after that.
DO $$
DECLARE
  v_project projects;
  v_paid timestamptz;
  v_end timestamptz;
  v_starts timestamptz[];
BEGIN
  FOR v_project IN SELECT * FROM projects LOOP
    v_starts := ARRAY[v_project.created_at];
    v_end := v_project.created_at + interval '31 days';
    FOR v_paid IN SELECT updated_at FROM payments
      WHERE project_id = v_project.id AND purpose = 'renew' AND state = 'fulfilled' ORDER BY updated_at
    LOOP
      v_starts := v_starts || greatest(v_paid, v_end);
      v_end := greatest(v_paid, v_end) + interval '31 days';
    END LOOP;
    UPDATE projects SET period_starts = v_starts WHERE id = v_project.id;
  END LOOP;
END $$;

-- What the feed asks of the projects that a user has voted on: also whether the vote belongs to the present period.
DROP INDEX projects_listed_id_idx;
CREATE INDEX projects_listed_id_idx ON projects (id) INCLUDE (owner_id, expires_at, period_starts) WHERE listed;

-- Votes that their voters have taken back within seconds (undo_vote): the row as it was in votes. Append-only. With token_ledger, which
-- has an entry of kind vote_undone for each (ref: the id here), it keeps both sides of the ledger.
CREATE TABLE undone_votes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  undone_at timestamptz NOT NULL,
  project_id int NOT NULL,
  tokens smallint NOT NULL CHECK (tokens > 0),
  period smallint NOT NULL,
  bullish boolean NOT NULL
);
CREATE INDEX undone_votes_user_id_idx ON undone_votes (user_id, project_id);

ALTER TYPE ledger_kind ADD VALUE 'vote_undone';
CREATE TYPE undo_outcome AS ENUM ('undone', 'no_vote', 'too_late', 'spent');

-- Every entry there is: the balance of a user is the sum of these. ref of a reward is the project.
CREATE OR REPLACE VIEW ledger_entries AS
  SELECT user_id, 'vote_reward'::ledger_kind AS kind, project_id::bigint AS ref, tokens::bigint AS amount, created_at FROM votes
  UNION ALL
  SELECT user_id, 'vote_reward'::ledger_kind, project_id::bigint, tokens::bigint, created_at FROM undone_votes
  UNION ALL
  SELECT user_id, kind, ref, amount, created_at FROM token_ledger;

-- replaced: the same user has voted again in a later period. Wins over all other states.
ALTER TYPE vote_state ADD VALUE 'replaced';

-- The one place where the rule of a vote's state stands; shared/states/votes.ts says the same as a function. A moderator's decision
-- wins over the rhythm rule. Figures as of an earlier moment read replaced_at (when the next vote of the same user on the project was
-- cast) and unreplaced_state (the state without that vote). As a cast from text: a transaction may not use a new value as a literal.
DROP VIEW vote_states;
CREATE VIEW vote_states AS
  SELECT x.*, CASE WHEN x.replaced_at IS NULL THEN x.unreplaced_state ELSE 'replaced'::text::vote_state END AS state
  FROM (
    SELECT v.user_id, v.project_id, v.period, v.bullish, v.created_at, n.created_at AS replaced_at,
      CASE
        WHEN m.reason IS NOT NULL THEN m.reason
        WHEN r.reason IS NOT NULL THEN r.reason
        WHEN s.state = 'standing' THEN 'verified'
        WHEN s.state = 'no_standing' THEN 'no_standing'
        ELSE 'waiting'
      END::vote_state AS unreplaced_state
    FROM votes v
    LEFT JOIN voter_standing s ON s.user_id = v.user_id
    LEFT JOIN votes_set_aside m ON m.user_id = v.user_id AND m.project_id = v.project_id AND m.period = v.period AND m.reason = 'moderator'
    LEFT JOIN votes_set_aside r ON r.user_id = v.user_id AND r.project_id = v.project_id AND r.period = v.period AND r.reason = 'rhythm'
    -- Votes of later periods, each beside the one that it replaces.
    LEFT JOIN (
      SELECT l.user_id, l.project_id, l.created_at, (SELECT max(e.period) FROM votes e
        WHERE e.user_id = l.user_id AND e.project_id = l.project_id AND e.period < l.period) AS replaces
      FROM votes l WHERE l.period > 1
    ) n ON n.user_id = v.user_id AND n.project_id = v.project_id AND n.replaces = v.period
  ) x;

-- One row for each project: the newest vote of a user counts, in whatever period it was cast. The column `period` (always 1) stays for
-- servers of the version before.
DELETE FROM verified_stats WHERE period <> 1;
ALTER TABLE verified_stats DROP CONSTRAINT verified_stats_pkey;
ALTER TABLE verified_stats ADD PRIMARY KEY (project_id), ADD UNIQUE (project_id, period), ALTER COLUMN period SET DEFAULT 1;
